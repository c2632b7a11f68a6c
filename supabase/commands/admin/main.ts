/** `npm run admin`: accounts, coaches, keys, usage and users of a project. */
import { admin } from "./admin.ts";
import { askAtTerminal } from "./ask_at_terminal.ts";
import { catchInterrupt } from "./catch_interrupt.ts";

const env = Deno.env.toObject();

Deno.exitCode = await admin(Deno.args, {
  env,
  // npm runs its scripts in the project's own folder.
  folder: env.INIT_CWD || Deno.cwd(),
  now: () => new Date(),
  say: (text) => console.log(text),
  complain: (text) => console.error(text),
  confirm: Deno.stdin.isTerminal() ? askAtTerminal : null,
  isTerminal: Deno.stdout.isTerminal(),
  catchInterrupt,
});
