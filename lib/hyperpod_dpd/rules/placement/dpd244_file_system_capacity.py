from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD244", "file-system-capacity", ERROR, ENVIRONMENT),
    title="A file system of a size or speed that FSx does not make",
    what="""storage.file_system.capacity_gib and throughput_mbps_per_tib against what FSx takes for persistent
    SSD file systems of the second generation.""",
    why="""CloudFormation takes any number; FSx refuses it when the stack is half deployed, and the storage
    rolls back.""",
    fine="Never.",
    fix="take 1200 GiB or a multiple of 2400 GiB, and a throughput that FSx offers",
    sources="Amazon FSx API reference, storage capacity and throughput of Lustre file systems",
    tags=("storage",),
    before="storage: {file_system: {capacity_gib: 3600}}",
    after="storage: {file_system: {capacity_gib: 4800}}",
)
def check(environment: EnvironmentView) -> Matches:
    system = environment.document.storage.file_system
    if system is None:
        return
    least, step = _number("fsx_storage_gib"), _number("fsx_storage_step_gib")
    if system.capacity_gib != least and (system.capacity_gib < step or system.capacity_gib % step):
        below = max(least, system.capacity_gib // step * step)
        above = (system.capacity_gib // step + 1) * step
        yield Match(
            ("storage", "file_system", "capacity_gib"),
            f"{system.capacity_gib:,} GiB is neither {least:,} nor a multiple of {step:,}",
            fix=f"take {below} or {above}",
        )
    speeds = requirements.requirement("fsx_throughputs_mb_per_second_per_tib").value
    assert isinstance(speeds, list | tuple)
    if system.throughput_mbps_per_tib not in speeds:
        yield Match(
            ("storage", "file_system", "throughput_mbps_per_tib"),
            f"{system.throughput_mbps_per_tib} MB/s per TiB is not one of {', '.join(map(str, speeds))}",
            fix=f"take one of {', '.join(map(str, speeds))}",
        )


def _number(name: str) -> int:
    return int(str(requirements.requirement(name).value))
