import { assertEquals } from "../../support/assert.ts";
import { chooseDeno } from "../../support/runner/choose_deno.ts";
import { groupFiles } from "../../support/runner/group_files.ts";
import { readReport } from "../../support/runner/read_report.ts";

Deno.test("files of a folder whose tests may share a process are run in groups", async (t) => {
  const unit = Array.from({ length: 40 }, (_, index) => `tests/unit/${index}_test.ts`);
  const stack = ["tests/commands/stack/a_test.ts", "tests/commands/stack/b_test.ts"];
  const sizesOf = (groups: string[][]) => groups.map(({ length }) => length);

  await t.step("each file once, in its order; the groups become smaller", () => {
    const groups = groupFiles(unit, { alone: [], lanes: 2 });
    assertEquals(groups.flat(), unit);
    assertEquals(sizesOf(groups), [14, 9, 6, 6, 5]);
  });
  await t.step("more lanes have smaller groups", () => {
    assertEquals(sizesOf(groupFiles(unit, { alone: [], lanes: 4 })), [7, 6, 6, 6, 6, 6, 3]);
  });
  await t.step("files of other folders, and those that should be, are alone", () => {
    assertEquals(groupFiles([...stack, ...unit.slice(0, 4)], { alone: [unit[1]!], lanes: 2 }), [
      ...stack.map((file) => [file]),
      [unit[0], unit[2], unit[3]],
      [unit[1]],
    ]);
  });
});

Deno.test("a unit test runs on the Deno that its code is deployed on", async (t) => {
  for (
    const [file, quick, all] of [
      ["shared/libs/base/clean_text_test.ts", ["functions"], ["functions"]],
      ["tests/unit/client_test.ts", ["tools"], ["tools"]],
      ["tests/unit/page_texts_test.ts", ["tools"], ["tools"]],
      ["tests/unit/env_test.ts", ["functions"], ["functions", "tools"]],
      ["tests/http/chat_test.ts", ["tools"], ["tools"]],
    ] as const
  ) {
    await t.step(file, () => {
      assertEquals<unknown>([chooseDeno(file, { isQuick: true }), chooseDeno(file, { isQuick: false })], [quick, all]);
    });
  }
});

Deno.test("a report of tests is read by file", () => {
  const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="7" failures="2" errors="0" time="0.019">
    <testsuite name="./tests/b_test.ts" tests="5" disabled="1" errors="0" failures="2">
        <testcase name="ignored" classname="./tests/b_test.ts" time="0.000" line="1" col="6">
            <skipped/>
        </testcase>
        <testcase name="a &gt; b" classname="./tests/b_test.ts" time="0.010" line="2" col="6">
            <failure message="1 test step failed">1 test step failed.</failure>
        </testcase>
        <testcase name="a &gt; b &gt; bad" classname="./tests/b_test.ts" time="0.004" line="2" col="94">
            <failure message="Uncaught Error: x">Error: x</failure>
        </testcase>
        <testcase name="a &gt; b &gt; good" classname="./tests/b_test.ts" time="0.002" line="2" col="160">
        </testcase>
    </testsuite>
    <testsuite name="./tests/support/slow.ts" tests="1" disabled="1" errors="0" failures="0">
        <testcase name="a &gt; b &gt; a row" classname="./tests/support/slow.ts" time="0.000" line="2" col="6">
            <skipped/>
        </testcase>
    </testsuite>
    <testsuite name="./tests/a_test.ts" tests="1" disabled="0" errors="0" failures="0">
        <testcase name="fine" classname="./tests/a_test.ts" time="1.500" line="2" col="6">
        </testcase>
    </testsuite>
</testsuites>`;
  assertEquals(readReport(report), [
    { file: "tests/a_test.ts", passed: 1, failed: 0, ignored: 0, milliseconds: 1_500 },
    { file: "tests/b_test.ts", passed: 1, failed: 2, ignored: 2, milliseconds: 10 },
  ]);
  assertEquals(readReport(""), []);
});
