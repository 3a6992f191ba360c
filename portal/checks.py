"""System checks: settings that would fail later are named at start, with a hint."""
