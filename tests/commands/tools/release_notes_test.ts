import { CommandError } from "../../../supabase/commands/command_error.ts";
import { findReleaseNotes } from "../../../supabase/commands/package/release_notes.ts";
import { assertEquals, assertThrows } from "../../support/assert.ts";

const changelog = `# Changelog

What has changed.

## [Unreleased]

## [1.1.0] - 2027-01-02

### Added

- A thing, see [1.0.0].

## 1.0.0 - 2026-12-01

First.

## [0.9.0]

[1.1.0]: https://x.test/1.1.0
`;

Deno.test("the notes of a release", async (t) => {
  await t.step("are the section of its version", () => {
    const notes = findReleaseNotes(changelog, { tag: "v1.1.0", version: "1.1.0" });
    assertEquals(notes, "### Added\n\n- A thing, see [1.0.0].");
    const windows = changelog.replaceAll("\n", "\r\n");
    assertEquals(findReleaseNotes(windows, { tag: "v1.0.0", version: "1.0.0" }), "First.");
  });

  const cases: [tag: string, version: string, message: string][] = [
    ["v1.0.0", "1.1.0", "The tag v1.0.0 is not of this version, 1.1.0."],
    ["", "1.1.0", "The tag  is not of this version, 1.1.0."],
    ["v1.2.0", "1.2.0", "CHANGELOG.md says nothing about 1.2.0."],
    ["v0.9.0", "0.9.0", "CHANGELOG.md says nothing about 0.9.0."],
    ["v1.0", "1.0", "CHANGELOG.md says nothing about 1.0."],
  ];
  for (const [tag, version, message] of cases) {
    await t.step(`tag "${tag}" of version ${version}: ${message}`, () => {
      assertThrows(() => findReleaseNotes(changelog, { tag, version }), CommandError, message);
    });
  }
});
