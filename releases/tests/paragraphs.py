"""What packages bring into indices, in the shape that real ones have."""

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: Example DB Foundation <packages@example.org>
Section: database
Priority: optional
Depends: libc6 (>= 2.36), libssl3 (>= 3.0.0), zlib1g (>= 1:1.2.3.4)
Installed-Size: 48211
Description: Example database
 The server, with a name of its own among many others."""
PRIMARY = """\
<package type="rpm">
  <name>{name}</name>
  <arch>{architecture}</arch>
  <version epoch="0" ver="{version}" rel="1.el9"/>
  <checksum type="sha256" pkgid="YES">{sha256}</checksum>
  <summary>Example database</summary>
  <description>The server, with a name of its own among many others.</description>
  <packager></packager>
  <url></url>
  <time file="1795000000" build="1795000000"/>
  <size package="{size}" installed="48211" archive="48500"/>
  <location href="{path}"/>
  <format>
    <rpm:license>GPL-2.0-only</rpm:license>
    <rpm:vendor/>
    <rpm:group>Applications/Databases</rpm:group>
    <rpm:buildhost>localhost</rpm:buildhost>
    <rpm:sourcerpm>{name}-{version}-1.el9.src.rpm</rpm:sourcerpm>
    <rpm:header-range start="280" end="1580"/>
    <rpm:provides>
      <rpm:entry name="{name}" flags="EQ" epoch="0" ver="{version}" rel="1.el9"/>
    </rpm:provides>
  </format>
</package>
"""
FILELISTS = """\
<package pkgid="{sha256}" name="{name}" arch="{architecture}">
  <version epoch="0" ver="{version}" rel="1.el9"/>
  <file>/usr/share/{name}/VERSION</file>
</package>
"""
OTHER = """\
<package pkgid="{sha256}" name="{name}" arch="{architecture}">
  <version epoch="0" ver="{version}" rel="1.el9"/>
</package>
"""
