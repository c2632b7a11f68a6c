import { release } from "../../../shared/infra/release.ts";
import { runStatus } from "../../../supabase/commands/status/run_status.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { clearQueue, fileRow, sweep } from "../../support/knowledge.ts";
import { createTenant, operator, publishableKey, secretKey } from "../../support/project.ts";
import { startService } from "../../support/service.ts";

/** Runs the command, and checks that it prints no key. */
async function run(args: string[], env: Record<string, string> = { SECRET_KEY: secretKey }) {
  const [said, noted, asked]: string[][] = [[], [], []];
  const code = await runStatus(args, {
    env,
    say: (text) => said!.push(text),
    complain: (text) => noted!.push(text),
    readKey: (ref) => Promise.resolve(null).finally(() => asked!.push(ref)),
  });
  for (const key of [secretKey, publishableKey]) assert(![...said!, ...noted!].join("\n").includes(key));
  return { code, said: said!.join("\n"), noted: noted!.join("\n"), asked };
}

/** The lines by their names, and the names of those that are troubles. */
function read(said: string) {
  const lines = said.split("\n").map((line) => /^([ !]) (\w+(?: \w+)?) {2,}(.*)$/.exec(line) ?? [line]);
  return {
    lines: Object.fromEntries(lines.map(([, , name, text]) => [name!, text!])),
    troubles: lines.filter(([, mark]) => mark === "!").map(([, , name]) => name),
  };
}

const setModel = (fields: { failed_at: string | null; failure: string | null }) =>
  operator.from("model_checks").update(fields).eq("is_only", true).throwOnError();

Deno.test("npm run status", async (t) => {
  await using service = await startService();
  await clearQueue();
  await setModel({ failed_at: null, failure: null });
  await sweep(service);
  const { url } = service.supabase;

  await t.step("a project that works: a line for each part, and 0", async () => {
    const { code, said, noted } = await run([url]);
    const { lines, troubles } = read(said);
    assertEquals([code, troubles, noted], [0, [], ""], said);
    assertEquals([lines.Project, lines.Functions, said.split("\n").length], [url, "all 11 answer", 10]);
    assertMatch(lines.Version!, new RegExp(`^${release.version}, (all \\d+ migrations|migrations not known)$`));
    assertMatch(lines.Clock!, /^ran \d+ s ago$/);
    for (const name of ["Model", "Queues", "Errors", "Deliveries", "Budgets"]) assert(lines[name]);
    assertMatch(lines.Sizes!, /^database \d+\.\d MB, files .* threads$/);
  });

  await t.step("files that failed are counted, one or more", async () => {
    const { accountId, coachId } = await createTenant();
    for (const name of ["torn.pdf", "worn.pdf"]) {
      const row = { ...fileRow({ accountId, coachId }, name), status: "failed", error: "Torn" };
      await operator.from("knowledge_files").insert(row).throwOnError();
      const { lines } = read((await run([url])).said);
      // Other tests may have left some.
      assertMatch(
        lines.Errors!,
        /^(?:.*, )?(?:1 file|\d+ files)(?:,.*)? within a day; the last \d+ s ago, file: Torn$/,
      );
    }
  });

  await t.step("a server of the model that does not answer is marked, with the reason, and 1", async () => {
    await setModel({ failed_at: new Date(Date.now() - 3_000_000).toISOString(), failure: "TimeoutError\u001b[2J" });
    const { code, said } = await run([url]);
    const { lines, troubles } = read(said);
    assertEquals([code, troubles], [1, ["Model"]], said);
    assertMatch(lines.Model!, /^its server has not answered for \d+ min: TimeoutError\\u\{1b\}\[2J$/);
    await setModel({ failed_at: null, failure: null });
  });

  await t.step("without Postgres, it still says whether the functions answer, and 1", async () => {
    service.supabase.fault = (path) => path.startsWith("/rest/") ? "refuse" : "pass";
    const { code, said } = await run([url]);
    assertEquals([code, read(said).troubles], [1, ["Database"]], said);
    assertEquals(read(said).lines.Functions, "all 11 answer");
    service.supabase.recover();
  });

  await t.step("functions that do not answer are named, and 1", async () => {
    service.supabase.fault = (path) => path.endsWith("/mailer") ? "refuse" : "pass";
    const { code, said } = await run([url]);
    assertEquals([code, read(said).troubles], [1, ["Functions"]], said);
    assertEquals(read(said).lines.Functions, "1 of 11 do not answer: mailer");
    service.supabase.recover();
  });

  await t.step("a wrong key is said, and 1", async () => {
    const { code, said } = await run([url], { SECRET_KEY: "sb_secret_wrong" });
    assertEquals(code, 1);
    assertMatch(said, /^! Database .*rejected the key/m);
  });

  await t.step("wrong usage: 2; the key of a project on the platform is read", async () => {
    for (const args of [[], [url, url], ["--unknown"], ["ftp://example.com"], ["http://example.com"]]) {
      const { code, said, noted } = await run(args);
      assertEquals([code, said], [2, ""], noted);
    }
    assertEquals((await run([url], {})).noted, "Set SECRET_KEY to a secret key of the project.");
    const { code, asked } = await run(["abcdefghijklmnopqrst"], {});
    assertEquals([code, asked], [2, ["abcdefghijklmnopqrst"]]);
    assertMatch((await run(["--help"])).said, /^npm run status -- /);
  });
});
