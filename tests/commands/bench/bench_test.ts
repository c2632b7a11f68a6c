import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";
import { makePdfOfStreams, showLines } from "../../support/sample_documents.ts";

/** A figure of each section that runs on the Postgres of `npm start`. */
const embedded = {
  requests: "requests to Supabase: chat, before the first chunk",
  chat: "chat, bundled: CPU a turn of 50 chunks, no delay, 8 at once",
  cold: "cold start on Deno \\S+: first chunk of a chat",
  streams: "10 slow streams: open at the peak",
  lists: "list of 5,000 messages: CPU a list",
  knowledge: "time to the first chunk, 200 passages: p50",
  ranking: "ranking of Cranfield: nDCG@10",
  grounding: "grounding: answerable, answered from a right file \\(the offline model, .*\\)",
  pages: "pages: questions whose right page is found first",
  readers: "readers: pdf, documents",
  search: "search for the chat, 500 passages: p95",
  isolate: "isolate: indexing a PDF of 5 pages: sweeps",
  uploads: "indexing them",
};
/** The same for a native Postgres. */
const native = {
  compare: "beside peers: first chunk, 1 at once",
  pinned: "CPU of Postgres, a turn of a coach with 20 pinned answers, 32 at once",
  growth: "growth of threads of one user: a turn: begin_turn \\+ save_turns, slowest beside fastest",
  search: "ranking by meaning, all passages of the coach: p95",
};

/** Runs all sections in their short form, and checks that each ends and prints figures. */
async function assertMeasured(figures: Record<string, string>, args: string[] = [], env?: Record<string, string>) {
  const command = ["run", "--silent", "bench", "--", "--short", ...args];
  const { code, stdout, stderr } = await runCommand("npm", command, { cwd: projectRoot, env });
  const shown = `${stdout}\n${stderr}`;
  assertEquals([code, stderr], [0, ""], shown);
  const measured = Array.from(stdout.matchAll(/^… measuring (.*)$/gm), ([, name]) => name);
  assertEquals(measured, Object.keys(figures));
  for (const figure of Object.values(figures)) assertMatch(stdout, new RegExp(`^${figure} +\\d`, "m"), shown);
}

Deno.test("npm run bench: every section ends and prints figures", async () => {
  // The collections themselves are not part of the project.
  const folder = await Deno.makeTempDir();
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  await write(
    "docs.jsonl",
    '{"id":"1","text":"Wings in a slipstream."}\n{"id":"2","text":"Heat in a boundary layer."}\n',
  );
  await write("queries.jsonl", '{"id":"1","text":"What does a slipstream do to wings?"}\n');
  await write("qrels.tsv", "1\t1\t3\n");
  await write("passages.jsonl", '{"id":"1","text":"Kayaks are let at the jetty."}\n');
  await write(
    "tasks.jsonl",
    '{"history":[],"question":"Where are kayaks let?","relevant":["1"],"answerable":"answerable","kind":"N/A"}\n',
  );
  const stream = showLines(["The valve is 93 euros."]);
  const valve = makePdfOfStreams([{ source: `<< /Length ${stream.length} >>`, stream }]);
  await Deno.writeFile(join(folder, "valve.pdf"), new Uint8Array(valve));
  const env = { CRANFIELD_DIR: folder, GROUNDING_DIR: folder, DOCUMENTS_DIR: folder, OPENAI_API_KEY: "" };
  await assertMeasured(embedded, [], env);
});

const server = Deno.env.get("DATABASE_URL");

Deno.test({
  name: "npm run bench: every section ends and prints figures on the native Postgres of DATABASE_URL",
  ignore: !server,
  fn: () => assertMeasured(native, [`--postgres=${server}`]),
});

Deno.test("npm run soak: some seconds of traffic end without a problem", async () => {
  const { code, stdout, stderr } = await runCommand("npm", ["run", "--silent", "soak", "--", "2"], {
    cwd: projectRoot,
  });
  assertEquals([code, stderr], [0, ""], `${stdout}\n${stderr}`);
  assertMatch(stdout, /^soak: \d+ operations, 0 problems$/m);
});
