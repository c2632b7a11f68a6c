import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals, assertMatch, assertThrows } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";
import { readRunningProject, requireThisMachine } from "../../support/running_project.ts";

const variables: Record<string, string> = {
  TEST_SUPABASE_URL: "http://127.0.0.1:54321",
  TEST_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_1",
  TEST_SUPABASE_SECRET_KEY: "sb_secret_1",
};
const project = { url: "http://127.0.0.1:54321", publishableKey: "sb_publishable_1", secretKey: "sb_secret_1" };

/** Runs a file from a shell with these variables. */
function run(file: string, env: Record<string, string>) {
  return runCommand(Deno.execPath(), ["run", "--quiet", "--frozen", "-A", join(projectRoot, file)], { env });
}

Deno.test("which Supabase the tests use", async (t) => {
  const read = (table: Record<string, string>) => readRunningProject((name) => table[name]);

  await t.step("a new one for each run, even when the shell has the variables of another", () => {
    assertEquals(read({}), null);
    assertEquals(read({ ...variables, TEST_SUPABASE_URL: " " }), null);
    assertEquals(read({ SUPABASE_URL: "https://ref.supabase.co", SUPABASE_SECRET_KEYS: '{"default":"s"}' }), null);
  });

  await t.step("the one that TEST_SUPABASE_URL names", () => {
    assertEquals(read(variables), project);
    assertEquals(read({ ...variables, TEST_SUPABASE_URL: " http://127.0.0.1:54321/ " }), project);
  });

  for (const name of ["TEST_SUPABASE_PUBLISHABLE_KEY", "TEST_SUPABASE_SECRET_KEY"]) {
    await t.step(`without ${name} it is refused`, () => {
      const message = `TEST_SUPABASE_URL is set, but ${name} is missing`;
      assertThrows(() => read({ ...variables, [name]: "" }), Error, message);
    });
  }
});

Deno.test("only a Supabase on this machine is used", async (t) => {
  for (
    const [address, origin] of [
      ["http://127.0.0.1:54321", "http://127.0.0.1:54321"],
      ["http://127.1:54321", "http://127.0.0.1:54321"],
      ["http://LOCALHOST:54321//", "http://localhost:54321"],
      ["http://[::1]:54321/rest/v1?x#y", "http://[::1]:54321"],
      ["https://localhost", "https://localhost"],
    ] as const
  ) {
    await t.step(`${address} is accepted`, () => assertEquals(requireThisMachine(address), origin));
  }

  for (
    const address of [
      "https://abcdefghijklmnopqrst.supabase.co",
      "http://127.0.0.1@ref.supabase.co",
      "http://127.0.0.1:54321@ref.supabase.co",
      "http://localhost.example.com",
      "http://127.0.0.1.example.com",
      "http://localhost.:54321",
      "http://0.0.0.0:54321",
      "http://10.0.0.1:54321",
      "http://host.docker.internal:54321",
    ]
  ) {
    await t.step(`${address} is refused`, () => {
      assertThrows(() => requireThisMachine(address), Error, "The tests refuse to use");
    });
  }

  await t.step("the same holds for addresses of databases", () => {
    const protocols = ["postgres:", "postgresql:"];
    const remote = "postgres://postgres.ref:secret@aws-0-eu.pooler.supabase.com:5432/postgres";
    assertThrows(() => requireThisMachine(remote, protocols), Error, "The tests refuse to use aws-0-eu");
    requireThisMachine("postgresql://postgres@localhost:5432/postgres", protocols);
  });

  for (
    const address of ["127.0.0.1:54321", "localhost:54321", "abcdefghijklmnopqrst", "file:///127.0.0.1", "http://"]
  ) {
    await t.step(`${address} is not an address`, () => {
      assertThrows(() => requireThisMachine(address), Error, "it is not the address of a Supabase");
    });
  }
});

Deno.test("a run of the tests on a foreign Supabase ends with a sentence, before any request", async (t) => {
  const foreign = "http://ref.example.invalid";
  const sentence = "The tests refuse to use ref.example.invalid: they change data, and only on this machine";

  await t.step("npm test", async () => {
    const { code, stdout, stderr } = await run("tests/support/run.ts", { ...variables, TEST_SUPABASE_URL: foreign });
    assertEquals([code, stdout, stderr], [1, "", `${sentence}\n`]);
  });

  await t.step("npm test, when nothing answers", async () => {
    const url = "http://127.0.0.1:9";
    const { code, stderr } = await run("tests/support/run.ts", { ...variables, TEST_SUPABASE_URL: url });
    assertEquals([code, stderr], [1, `No Supabase with signing keys answers at ${url}\n`]);
  });

  await t.step("deno test, which uses the variables of the shell", async () => {
    const keys = '{"default":"sb_secret_1"}';
    const env = { SUPABASE_URL: foreign, SUPABASE_SECRET_KEYS: keys, SUPABASE_PUBLISHABLE_KEYS: keys };
    const { code, stderr } = await run("tests/support/project.ts", env);
    assertEquals(code, 1);
    assertMatch(stderr, new RegExp(sentence));
  });
});
