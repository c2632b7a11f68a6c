import { join } from "node:path";
import { freePort } from "../../../supabase/platform/local_address.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { copyProject, npmStart } from "../../support/local_stack.ts";
import { runCommand } from "../../support/run_command.ts";

/** Separates the output of one block of commands from the next. */
const line = "---- next block ----";

/** The output of each block of commands on the page, in order. */
const expected: RegExp[][] = [
  [/^$/],
  // Somebody asks what no file says.
  [/"content":"I do not know that[^]*"author":"ai"/],
  // The expert sees the question, and answers it.
  [/"question":"May I bring my dog to the workshop\?","status":"open"[^]*\n\{[^\n]*"status":"answered"/],
  // It is in the thread.
  [/"author":"expert"[^\n]*"content":"Yes, if it sleeps[^\n]*\n[^\n]*"unread":1/],
  [/"content":"Yes, if it sleeps through talks\. Mine does\."[^]*"isWordForWord":true[^]*"author":"expert"/],
  // Another wording, and a negation.
  [
    /^[^\n]*with an answer written for exactly this question: Yes, if it sleeps[^\n]*"author":"ai"/,
    /\n[^\n]*"content":"I do not know/,
  ],
  [/"exact":null,"near":\[\{[^]*"text":"[^"]*Yes, if it sleeps[^]*"asks_expert":null/],
  // A further turn, which leaves nothing behind.
  [/^data: \S+\n/],
  // The correction, and what the person sees.
  [/"pinnedAnswerId":"[^]*"messageId":"/, /"author":"expert"[^]*"content":"Two days\. I used to say a week\."/],
  // The takeover.
  [
    /^[^\n]*"handled_by":"expert"/,
    /"status":"waiting"/,
    /"handled_by":"ai"/,
    /"author":"expert"[^\n]*Never in writing/,
  ],
  // A draft of a reply, which is sent to nobody.
  [/^\{"content":"[^]*"sources":\[/],
  // What is asked in person.
  [/"question":"May I bring my dog\?","status":"waiting"/, /"author":"expert"[^]*"status":"answered"/],
  // The draft, the version that it becomes, and the one before.
  [/"greeting":"Hello, I am Mara\. What happened today\?"/, /"changes":\["greeting"\][^]*"restored_from":[1-9]/],
];

Deno.test("every command of the page about the expert does what the page says", async () => {
  const page = await Deno.readTextFile(join(projectRoot, "supabase/docs/expert.md"));
  const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block);
  const folder = await copyProject();
  const stack = npmStart(folder, { PORT: String(freePort()), DATA_DIR: join(folder, "data") });
  try {
    await stack.sees(/Ctrl-C stops everything/);
    const script = ["set -e", `cd "${folder}"`, blocks.join(`echo "${line}"\n`)].join("\n");
    const { stdout } = await runCommand("bash", ["-c", script]);
    // Postgres sets spaces between the fields of some replies.
    const printed = stdout.replaceAll(/(?<=") ?: (?=["[{\dtfn])/g, ":").replaceAll(', "', ',"').split(`${line}\n`);
    assertEquals(printed.length, expected.length, stdout);
    for (const [index, patterns] of expected.entries()) {
      for (const pattern of patterns) assertMatch(printed[index]!, pattern, `${blocks[index]}\n${printed[index]}`);
    }
  } finally {
    stack.signal("SIGINT");
    await stack.ended;
  }
});
