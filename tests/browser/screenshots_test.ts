import { join } from "node:path";
import { freePort } from "../../supabase/platform/local_address.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { copyProject, npmStart } from "../support/local_stack.ts";
import { runCommand } from "../support/run_command.ts";

Deno.test("npm run screenshots takes a picture of each screen", async () => {
  const folder = await copyProject();
  const pictures = join(folder, "pictures");
  // An answer that is being written is one of the screens.
  const env = { PORT: String(freePort()), DATA_DIR: join(folder, "data"), OFFLINE_WORDS_PER_SECOND: "18" };
  const stack = npmStart(folder, env);
  try {
    await stack.sees(/Ctrl-C stops everything/);
    const args = ["run", "--silent", "screenshots", "--", "--short", `--out=${pictures}`];
    // Without the variables of the tests, which nobody has at a terminal.
    const terminal = Object.entries(Deno.env.toObject()).filter(([name]) => !/^(SUPABASE|TEST)_/.test(name));
    const { code, stdout, stderr } = await runCommand("npm", args, {
      cwd: folder,
      clearEnv: true,
      env: Object.fromEntries(terminal),
    });
    assertEquals([code, stdout.trim()], [0, pictures], stderr);
    const names = [...Deno.readDirSync(pictures)].map(({ name }) => name);
    assertEquals(names.filter((name) => !/^(chat|desk)-[a-z-]+-wide\.png$/.test(name)), []);
    assert(names.includes("chat-streaming-wide.png") && names.includes("desk-conversation-wide.png"), names.join());
  } finally {
    stack.signal("SIGINT");
    await stack.ended;
    await Deno.remove(folder, { recursive: true });
  }
});
