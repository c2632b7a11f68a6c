/** The backend of the local stack in a process: Postgres, REST, Auth, Storage. Exits with 3 if another has the data. */
import { answerCalls } from "./function_calls.ts";
import { describeLink, withAnonymousSignIn, withPasswordRecovery } from "./lite_auth.ts";
import { withAsymmetricTokens } from "./asymmetric_tokens.ts";
import { closeFiles, closeNewFiles, lockData } from "./data_folder.ts";
import { openOAuthStore } from "./oauth/store.ts";
import { withOAuthServer } from "./oauth/oauth_server.ts";
import type { TokenUser } from "./oauth/issue_tokens.ts";
import { onPanic, openStackApp } from "./open_stack_app.ts";
import { onlyProjectRoutes } from "./gateway.ts";
import { shareSession } from "./share_session.ts";
import { projectRoot, readStackState } from "./state.ts";

closeNewFiles();

const state = await readStackState();

// Held until this process ends.
const lock = await lockData(state.path());
if (lock === null) Deno.exit(3);

// Programs that wait for .env.local must not find that of an earlier start. It is removed only now, since a stack that
// is refused must leave the file of the one that runs. When this process is restarted, start.ts writes the file again.
const staleFile = Deno.env.get("STALE_FILE");
if (staleFile) await Deno.remove(staleFile).catch(() => {});

// Migrations are those of the working directory.
Deno.chdir(projectRoot);
const { app, driver, applyMigrations } = await openStackApp(state);
const { mailbox } = await import("./lite.config.ts");
// The parent process then starts another one, whose Postgres recovers everything that was committed.
onPanic(driver, ({ message }) => {
  console.error(JSON.stringify({ level: "error", event: "postgres_panicked", reason: message }));
  Deno.exit(1);
});
await applyMigrations();
for (const file of ["seed.sql", "platform/anonymous_users.sql"]) {
  await driver.exec(await Deno.readTextFile(`${projectRoot}/supabase/${file}`));
}
await closeFiles(state.path());
const session = shareSession(driver);

const port = Number(Deno.env.get("BACKEND_PORT"));
const { signingKey, jwtSecret, secretKey } = state.secrets;
const issuer = `${Deno.env.get("PUBLIC_URL")}/auth/v1`;
const auth = withPasswordRecovery(withAnonymousSignIn((request) => app.fetch(request)), {
  mailbox,
  secretKey,
  onLink: (email, link) => console.log(describeLink(email, link)),
});
const project = await withOAuthServer(await withAsymmetricTokens(auth, { signingKey, jwtSecret, issuer }), {
  issuer,
  siteUrl: Deno.env.get("PUBLIC_URL")!,
  signingKey,
  store: await openOAuthStore(state.path("oauth.json")),
  findUser,
});
const server = Deno.serve(
  { port, hostname: "127.0.0.1" },
  onlyProjectRoutes(await answerCalls(project, { postgres: driver, session, secretKey })),
);

async function findUser(id: string): Promise<TokenUser | null> {
  const { rows: [user] } = await driver.query<{ email: string | null; is_anonymous: boolean }>(
    "select email, is_anonymous from auth.users where id::text = $1",
    [id],
  );
  if (user === undefined) return null;
  return { id, email: user.is_anonymous ? "" : user.email ?? "", isAnonymous: user.is_anonymous };
}

// Ends this process when the one that started it has ended, in whatever way: standard input closes then.
for await (const _ of Deno.stdin.readable) { /* nothing is ever written to it */ }
await server.shutdown();
await app.connection.close();
Deno.exit(0);
