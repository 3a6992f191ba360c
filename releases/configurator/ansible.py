"""Tasks of an Ansible play (with `become: true`): built-in modules, which every Ansible has."""

from __future__ import annotations

from releases.configurator import apt, rpm
from releases.configurator.choice import Choice, Piece
from releases.configurator.yaml import block, scalar


def tasks(choice: Choice) -> list[Piece]:
    found = {"apt": _apt, "dnf": _dnf, "zypper": _zypper}[choice.tool](choice)
    text = f"{choice.head}{choice.fingerprints}" + "\n".join(found)
    return [Piece("file", text, f"tasks/{choice.product}.yml")]


def _apt(choice: Choice) -> list[str]:
    return [
        _task(
            f"Fetch the keyring of {choice.title}",
            "ansible.builtin.get_url",
            url=scalar(choice.keyring_address("pgp")),
            dest=apt.keyring_path(choice),
            mode='"0644"',
            force="true",
        ),
        _file(choice, apt.sources_path(choice), apt.sources_text(choice)),
        _install(choice, "ansible.builtin.apt", update_cache="true"),
    ]


def _dnf(choice: Choice) -> list[str]:
    return [
        *_import(choice),
        _file(choice, rpm.repo_path(choice), rpm.repo_text(choice)),
        _install(choice, "ansible.builtin.dnf"),
    ]


def _zypper(choice: Choice) -> list[str]:
    return [
        *_import(choice),
        _file(choice, rpm.repo_path(choice), rpm.repo_text(choice)),
        _install(choice, "community.general.zypper"),
    ]


def _import(choice: Choice) -> list[str]:
    """Key by key: the module reads the first of a file alone."""
    return [
        _task(
            f"Import the key {key.name}",
            "ansible.builtin.rpm_key",
            key=scalar(choice.key_address(key.name, "asc")),
            fingerprint=scalar(key.fingerprint),
        )
        for key in choice.keys
    ]


def _file(choice: Choice, path: str, text: str) -> str:
    return _task(
        f"Configure the repository of {choice.title}",
        "ansible.builtin.copy",
        dest=path,
        mode='"0644"',
        content=block(text, 6),
    )


def _install(choice: Choice, module: str, **more: str) -> str:
    names = ", ".join(scalar(name) for name in choice.packages)
    title = f"Install {choice.package}"
    return _task(title, module, name=f"[{names}]", state="present", **more)


def _task(title: str, module: str, /, **arguments: str) -> str:
    lines = [f"- name: {scalar(title)}", f"  {module}:"]
    lines += [f"    {name}: {value}" for name, value in arguments.items()]
    return "\n".join(lines) + "\n"
