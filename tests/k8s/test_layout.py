"""File names, collisions, and each app's kustomization."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint.source import MARK
from k8s.layout import KUSTOMIZATION, file_names, files, stream
from k8s.rendered import RenderedApp, RenderedEnvironment
from k8s.writer import write_environment


def item(kind: str, name: str, namespace: str | None = None, api: str = "v1") -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api, "kind": kind, "metadata": metadata}


def environment(**apps: list[dict[str, Any]]) -> RenderedEnvironment:
    rendered = tuple(RenderedApp(name=name, objects=tuple(objects)) for name, objects in apps.items())
    return RenderedEnvironment(name="dev", apps=rendered, notes=(), source_digest="0" * 64)


def test_kind_in_lower_case_and_name():
    assert file_names([item("InferenceEndpointConfig", "chat", "a")]) == ["inferenceendpointconfig-chat.yaml"]


def test_namespace_in_between_only_where_two_would_collide():
    objects = [
        item("ServiceAccount", "x", "a"),
        item("ServiceAccount", "x", "b"),
        item("ServiceAccount", "y", "a"),
    ]
    assert file_names(objects) == [
        "serviceaccount-a-x.yaml",
        "serviceaccount-b-x.yaml",
        "serviceaccount-y.yaml",
    ]


def test_namespaced_form_that_is_another_objects_name_still_gets_its_own_file():
    objects = [
        item("ServiceAccount", "c", "a-b"),
        item("ServiceAccount", "b-c", "a"),
        item("ServiceAccount", "c", "z"),
        item("ServiceAccount", "b-c", "z"),
    ]
    names = file_names(objects)
    assert len(set(names)) == 4
    assert names[2:] == ["serviceaccount-z-c.yaml", "serviceaccount-z-b-c.yaml"]
    assert file_names(objects[::-1]) == names[::-1]


def test_same_kind_of_two_api_groups_gets_two_files():
    objects = [item("Service", "x", "a"), item("Service", "x", "a", api="serving.knative.dev/v1")]
    assert len(set(file_names(objects))) == 2


@pytest.mark.parametrize("name", ["../x", "A", "a/b", "", "a\nb"])
def test_name_that_cannot_be_a_file_is_refused(name):
    with pytest.raises(ValueError, match="cannot be a file's name"):
        file_names([item("ConfigMap", name)])


def test_same_object_in_two_apps_is_refused():
    with pytest.raises(ValueError, match="Namespace /x is in app one and again in app two"):
        files(environment(one=[item("Namespace", "x")], two=[item("Namespace", "x")]))


def test_kustomization_lists_the_files_in_apply_order():
    tree = files(environment(app=[item("Namespace", "z"), item("ConfigMap", "a", "z")]))
    own = [path for path in tree if path.startswith("app/")]
    assert own == ["app/configmap-a.yaml", "app/kustomization.yaml", "app/namespace-z.yaml"]
    text = tree[f"app/{KUSTOMIZATION}"]
    assert text.startswith(f"{MARK} from environments/dev.yaml")
    assert yaml.safe_load(text)["resources"] == ["namespace-z.yaml", "configmap-a.yaml"]


def test_folder_all_lists_the_apps_in_the_order_of_their_waves():
    waves = {"endpoint-a": 4, "platform": 0, "delivery": -1, "images": 2}
    apps = tuple(
        RenderedApp(name=name, objects=(item("ConfigMap", name),), wave=wave) for name, wave in waves.items()
    )
    tree = files(RenderedEnvironment(name="dev", apps=apps, notes=(), source_digest="0" * 64))
    resources = yaml.safe_load(tree[f"all/{KUSTOMIZATION}"])["resources"]
    assert resources == ["../platform", "../images", "../endpoint-a"]


def test_stream_holds_every_object_in_order():
    text = stream(
        environment(one=[item("Namespace", "x")], two=[item("ConfigMap", "a"), item("ConfigMap", "b")])
    )
    assert [each["metadata"]["name"] for each in yaml.safe_load_all(text)] == ["x", "a", "b"]


def test_kustomize_builds_each_app_from_its_folder(rendered, tmp_path):
    """kubectl's own reader (YAML 1.1) finds every file and the same objects in it."""
    kubectl = Path(sys.executable).with_name("kubectl")
    write_environment(tmp_path, "dev", files(rendered["dev"]))

    def built(folder: str) -> list[dict[str, Any]]:
        command = [kubectl, "kustomize", tmp_path / "dev" / folder]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return list(yaml.safe_load_all(done.stdout))

    for app in rendered["dev"].apps:
        assert built(app.name) == list(app.objects)
    in_order = sorted(rendered["dev"].apps, key=lambda app: (app.wave, app.name))
    assert built("all") == [each for app in in_order for each in app.objects]
