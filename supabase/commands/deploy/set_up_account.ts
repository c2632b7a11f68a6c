import { join } from "node:path";
import { z } from "zod";
import { admin } from "../admin/admin.ts";
import { openProject } from "../admin/open_project.ts";
import { readKeys } from "../admin/read_rows.ts";
import { writePrivately } from "../admin/text_files.ts";
import { CommandError } from "../command_error.ts";
import { pathFrom } from "./read_answers.ts";
import { readPublishableKey } from "./supabase_cli.ts";
import { readSecrets, writeSecrets } from "./read_secrets.ts";
import { done, open, type SetUpItem, type SetUpOptions, type Tick, unwanted } from "./set_up.ts";

const Named = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const Made = z.looseObject({ id: z.string() });
const patience = 30_000;

/** The rows that the service needs, and its pages: an account, a persona, an expert, keys. */
export function listAccountItems(options: SetUpOptions): SetUpItem[] {
  const { answers, secretKey, settings: { smoke } } = options;
  const known: { account?: string; coaches: string[] } = { coaches: [] };
  const needsAccount = (take: (account: string) => Promise<Tick>) => async (): Promise<Tick> => {
    if (secretKey === null) return open("needs a secret key: set SMOKE_SECRET_KEY to one");
    return known.account === undefined ? open("comes after the account") : await take(known.account);
  };
  const run = (...args: string[]) => runAdmin(options, args);
  return [
    {
      name: "Account",
      async take() {
        if (secretKey === null) return open("needs a secret key: set SMOKE_SECRET_KEY to one");
        const accounts = Named.parse(await run("account", "list"));
        const found = accounts.filter(({ name }) => answers.account === undefined || name === answers.account);
        if (found.length > 1) {
          return open(`there are ${found.length}: answer account with the name of one that is unique`);
        }
        if (found.length === 0 && answers.account === undefined) {
          return open("answer account with the name of the first one");
        }
        known.account = found[0]?.id ?? Made.parse(await run("account", "create", answers.account!)).id;
        return done(`${found[0]?.name ?? answers.account} (${known.account})`);
      },
    },
    {
      name: "Persona",
      take: needsAccount(async (account) => {
        const coaches = Named.parse(await run("coach", "list", "--account", account));
        if (coaches.length > 0) {
          known.coaches = coaches.map(({ id }) => id);
          return done(coaches.slice(0, 5).map(({ name }) => name).join(", "));
        }
        if (answers.persona === false) return unwanted("its expert makes one at the desk");
        if (answers.persona === undefined) {
          return open("answer persona with a file (supabase/docs/operating.md), or with false");
        }
        const file = pathFrom(options.folder, answers.persona);
        const made = Made.parse(await run("coach", "create", file, "--account", account));
        known.coaches = [made.id];
        return done(`made from ${answers.persona}`);
      }),
    },
    { name: "First expert", take: needsAccount((account) => inviteExpert(options, account, known.coaches)) },
    {
      name: "Key of the pages",
      take: needsAccount((account) => {
        const { pages } = answers;
        const wanted = pages && { name: "pages", variable: "PAGES_KEY", origin: new URL(pages).origin };
        return issueKey(options, account, wanted, "answer pages: the key has the origin of the pages");
      }),
    },
    {
      name: "Key for AI clients",
      take: needsAccount((account) => {
        const wanted = answers.aiClients && { name: "AI clients", variable: "AI_CLIENTS_KEY" };
        return issueKey(options, account, wanted, "answer aiClients", (key) => `${smoke.url}/functions/v1/mcp/${key}`);
      }),
    },
    { name: "Pages", take: () => buildPages(options) },
    { name: "Pages at their address", take: () => lookAtPages(options) },
  ];
}

/** Runs `npm run admin`, and returns the JSON that it prints. @throws {CommandError} with what it complains of. */
async function runAdmin({ folder, settings, secretKey }: SetUpOptions, args: string[]): Promise<unknown> {
  const complaints: string[] = [];
  let json = "null";
  const code = await admin([...args, "--json"], {
    env: { BASE_URL: settings.smoke.url, SECRET_KEY: secretKey ?? "" },
    folder,
    now: () => new Date(),
    say: (text) => json = text,
    complain: (text) => complaints.push(text),
    confirm: null,
    isTerminal: false,
    catchInterrupt: () => ({ signal: new AbortController().signal, [Symbol.dispose]() {} }),
  });
  if (code !== 0) throw new CommandError(complaints.at(-1) ?? `npm run admin -- ${args[0]} ended with ${code}.`);
  return JSON.parse(json);
}

/** Secrets that were made here and are shown only once, by name. */
async function readKept({ keysFile, hide }: SetUpOptions): Promise<Map<string, string>> {
  const { secrets } = readSecrets(await Deno.readTextFile(keysFile).catch(() => ""));
  const link = secrets.get("INVITATION");
  if (link !== undefined) hide(link);
  return secrets;
}

async function keep(options: SetUpOptions, entries: Record<string, string>): Promise<void> {
  const kept = await readKept(options);
  for (const [name, value] of Object.entries(entries)) kept.set(name, value);
  await writePrivately(options.keysFile, writeSecrets(kept));
}

async function inviteExpert(options: SetUpOptions, account: string, coaches: string[]): Promise<Tick> {
  const { answers: { expert, pages }, keysFile, settings: { smoke }, secretKey } = options;
  const { client } = openProject({ url: smoke.url, secretKey: secretKey! }, { timeLimit: patience, note: () => {} });
  const { data: experts } = await client.from("coach_experts").select("user_id").in("coach_id", coaches).limit(1)
    .throwOnError();
  if (experts.length > 0) return done("there is one");
  if (expert === false) return unwanted();
  const kept = await readKept(options);
  const invited = kept.get("INVITED");
  if (invited !== undefined && Date.parse(kept.get("INVITED_UNTIL") ?? "") > Date.now()) {
    return open(`${invited} is invited, and has not accepted yet. The link is INVITATION in ${keysFile}`);
  }
  if (expert === undefined) return open("answer expert with an email address");
  if (!pages) return open("answer pages: the invitation leads to the desk");
  const made = z.looseObject({ token: z.string(), expires_at: z.string() }).parse(
    await runAdmin(options, [
      ...["expert", "invite", "--account", account, "--email", expert, "--desk", `${pages}desk/`],
      ...coaches.length === 0 ? [] : ["--coach", coaches[0]!],
    ]),
  );
  const link = `${pages}desk/#invitation=${made.token}`;
  options.hide(made.token);
  await keep(options, { INVITED: expert, INVITED_UNTIL: made.expires_at, INVITATION: link });
  return open(`${expert} is invited now. The link to accept is INVITATION in ${keysFile}`);
}

async function issueKey(
  options: SetUpOptions,
  account: string,
  wanted: false | "" | undefined | { name: string; variable: string; origin?: string },
  question: string,
  show: (key: string) => string = (key) => key,
): Promise<Tick> {
  if (wanted === undefined) return open(question);
  if (!wanted) return unwanted();
  const { name, variable, origin } = wanted;
  const { keysFile, settings: { projectRef, smoke }, secretKey } = options;
  const project = openProject({ url: smoke.url, secretKey: secretKey! }, { timeLimit: patience, note: () => {} });
  const kept = (await readKept(options)).get(variable);
  const keys = (await readKeys(project, account)).filter((key) =>
    key.status === "active" && (origin === undefined ? key.allows_mcp : key.origins.includes(origin))
  );
  if (kept !== undefined && keys.some(({ prefix }) => kept.startsWith(prefix))) {
    return done(origin === undefined ? show(kept) : `works at ${origin}`);
  }
  const other = keys.find((key) => key.name === name);
  if (other !== undefined) {
    const text =
      `there is one, which this machine does not know. Put ${variable}=hi_pub_… into ${keysFile}, or revoke ` +
      `it (npm run admin -- key revoke ${other.id}) and run npm run deploy -- ${projectRef} --setup-only again`;
    return open(text);
  }
  const { api_key } = z.looseObject({ api_key: z.string() }).parse(
    await runAdmin(options, [
      ...["key", "issue", "--account", account, "--name", name, "--publishable"],
      ...origin === undefined ? ["--mcp"] : ["--origin", origin],
    ]),
  );
  await keep(options, { [variable]: api_key });
  return done(origin === undefined ? show(api_key) : `made for ${origin}, and kept in ${keysFile}`);
}

const pagesFolder = ({ answers, folder, usualPagesFolder }: SetUpOptions) =>
  answers.pagesFolder === undefined ? usualPagesFolder : pathFrom(folder, answers.pagesFolder);

async function buildPages(options: SetUpOptions): Promise<Tick> {
  const { answers: { pages }, cli, settings: { projectRef, smoke, isSetUpOnly } } = options;
  if (pages === undefined) return open("answer pages");
  if (!pages) return unwanted();
  const folder = pagesFolder(options);
  const key = (await readKept(options)).get("PAGES_KEY");
  if (key === undefined) return open("come after their key");
  const before = await Deno.readTextFile(join(folder, "index.html")).catch(() => "");
  // A deployment may bring other pages; a set-up alone does not.
  if (isSetUpOnly && before.includes(`"${key}"`) && before.includes(smoke.url)) {
    return done(`are in ${folder}`);
  }
  const supabaseKey = await readPublishableKey(cli, projectRef);
  if (supabaseKey === null) {
    const text = "the access token may not read the project's publishable key. Build them with npm run page " +
      `-- --base-url ${smoke.url} --key ${key} --supabase-key sb_publishable_… --out ${folder}`;
    return open(text);
  }
  await options.writePage(folder, { baseUrl: smoke.url, key, supabaseKey, coach: "", coaches: "" });
  return done(`built in ${folder}`);
}

/** True if the built pages are those that people get. */
async function lookAtPages(options: SetUpOptions): Promise<Tick> {
  const { pages } = options.answers;
  if (pages === undefined) return open("answer pages");
  if (!pages) return unwanted();
  const folder = pagesFolder(options);
  const key = (await readKept(options)).get("PAGES_KEY");
  const read = async (name: string) => {
    const reply = await fetch(`${pages}${name}`, {
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(patience)]),
    });
    return reply.ok ? await reply.text() : "";
  };
  const script = "human-chat.js";
  const [page, served, built] = await Promise.all([
    ...["", script].map((name) =>
      read(name).catch(() => {
        options.signal.throwIfAborted();
        return "";
      })
    ),
    Deno.readTextFile(join(folder, script)).catch(() => null),
  ]);
  const look = (text: string) => open(text, pages);
  if (key === undefined || built === null) return look("come after the pages");
  if (!page!.includes(key)) return look(`are not there yet. Put ${folder} on a static host (supabase/docs/pages.md)`);
  if (served !== built) return look(`are of another version there. Put ${folder} on the host again`);
  return done(`are at ${pages}`);
}
