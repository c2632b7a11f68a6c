import { createClient as createOperator, type SupabaseClient } from "@supabase/supabase-js";
import { type Client, createClient } from "../../../shared/clients/client/client.ts";
import { ServiceError } from "../../../shared/clients/client/service_error.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { z } from "zod";

/** A failure; null if there is none. */
export type Finding = string | null;

/** Tries one thing and reports it; an error is a finding too. True when nothing is wrong. */
export type Attempt = (name: string, check: () => Promise<Finding>) => Promise<boolean>;

/** `attempt` ends with an interruption; `finish` is carried out all the same. */
type Attempts = { attempt: Attempt; finish: Attempt };

type Options = {
  url: string;
  secretKey: string;
  hasClock: boolean;
  signal: AbortSignal;
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  onMade: (what: string) => void;
};

/** An answer ends after `TURN_SECONDS`, 390 at most. */
const patienceForAnswer = 400_000;
const patience = 20_000;
/** The number of checks whether a file was indexed, and the pause between them in ms: after a call, and by pg_cron. */
const looks = { called: [60, 1_000], clock: [30, 5_000] } as const;

const word = "heronry";

/**
 * Tries what only a deployed service can show, with an account and a user made for it: the model, Storage, the indexer
 * and its schedule, and Auth. Both are removed again, also when the signal is aborted.
 *
 * @throws the reason of the signal.
 */
export async function tryService(options: Options, { attempt, finish }: Attempts): Promise<void> {
  const { url, secretKey, hasClock, onMade } = options;
  // Its requests are never interrupted: the reply to one that makes something says what to remove later.
  const operator: Operator = createOperator<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(patience) }) },
  });
  let accountId: string | undefined;
  let user: SmokeUser | undefined;
  try {
    let account: SmokeAccount | undefined;
    await attempt("an account, a coach and a key", async () => {
      accountId = await createSmokeAccount(operator);
      onMade(`the account ${accountId}`);
      account = await fillSmokeAccount(operator, accountId);
      return null;
    });
    if (account === undefined) return;
    const client = createClient({ baseUrl: url, apiKey: account.apiKey });
    const place = { ...options, operator, client, ...account };
    await attempt("the list of coaches", () => checkCoaches(place));
    await attempt("a message to the model", () => checkAnswer(place));
    const isRead = await attempt("an upload, and a search for what is in it", () => checkKnowledge(place));
    await attempt("a signed-in user", async () => {
      user = await createSmokeUser(operator);
      onMade(`the user ${user.email}`);
      return await checkUser(place, user);
    });
    if (isRead && hasClock) await attempt("the clock of the indexer", () => checkClock(place));
  } finally {
    if (user !== undefined) {
      const { id, email } = user;
      await finish(
        "the removal of the user",
        () => removeSmokeUser(operator, id).then(() => null, explain(removalOf(email))),
      );
    }
    if (accountId !== undefined) {
      const id = accountId;
      await finish(
        "the removal of the account",
        () =>
          removeSmokeAccount(operator, id).then(() => null, explain(`the account ${id} remains. ${removalByHand(id)}`)),
      );
    }
  }
}

function explain(remedy: string): (error: unknown) => Finding {
  return (error) => `${findingFrom(error)}; ${remedy}`;
}

function removalOf(email: string): string {
  return `the user ${email} remains. Remove it in the dashboard: Authentication > Users`;
}

type Place = SmokeAccount & Options & { operator: Operator; client: Client };

async function checkCoaches({ client, coachId, signal }: Place): Promise<Finding> {
  const { data } = await client.listCoaches({}, { signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]) });
  return data.length === 1 && data[0]!.id === coachId ? null : "it does not contain exactly the account's one coach";
}

async function checkAnswer({ operator, client, accountId, coachId, signal }: Place): Promise<Finding> {
  try {
    const answer = await client.chat({ message: "Hello", context: { coachId, userId: "smoke-test" } }, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceForAnswer)]),
    });
    const text = (await Array.fromAsync(answer)).join("");
    return text.trim() === "" ? "the answer is empty" : null;
  } catch (error) {
    const { data } = await operator.from("recent_errors").select("error").eq("account_id", accountId).limit(1);
    const cause = data?.[0]?.error;
    return [findingFrom(error), ...(cause ? [`Cause, from the table messages: ${cause}`] : [])].join(". ");
  }
}

async function checkKnowledge(place: Place): Promise<Finding> {
  const { client, coachId, signal } = place;
  const file = new File([writePdf(`The ${word} is behind the library.`)], "smoke-test.pdf", {
    type: "application/pdf",
  });
  const { failedFiles } = await client.uploadFiles(coachId, [file], { signal });
  if (failedFiles.length > 0) return `the file was rejected: ${failedFiles[0]!.error}`;
  const finding = await waitUntilRead(place, looks.called);
  if (finding !== null) return finding;
  const { data } = await client.searchFiles({ coachId, search: word }, { signal });
  return data.some(({ filename }) => filename === file.name) ? null : "the search did not find the file by its text";
}

/** Has the file indexed again without calling the indexer: only pg_cron does that. */
async function checkClock(place: Place): Promise<Finding> {
  const { operator, coachId } = place;
  await operator.rpc("reindex_coach", { coach_id: coachId }).throwOnError();
  const finding = await waitUntilRead(place, looks.clock);
  return finding &&
    `${finding}. The database should call the indexer every minute, using the address and the key in its vault. ` +
      "To find out why it does not: select * from cron.job_run_details order by start_time desc limit 5; " +
      "select * from net._http_response order by id desc limit 5";
}

/** Waits for the file; where it is indexed again, for the version that is to take its place. */
async function waitUntilRead(
  { operator, coachId, signal, sleep }: Place,
  [times, pause]: readonly [number, number],
): Promise<Finding> {
  for (let look = 1;; look++) {
    const { data: { status, error } } = await operator.from("knowledge_files").select("status, error")
      .eq("coach_id", coachId).order("replaces", { nullsFirst: false }).limit(1).single().throwOnError();
    if (status === "ready") return null;
    const cause = error === null ? "" : `: ${error}`;
    if (status === "failed" || status === "empty") return `the file ended as ${status}${cause}`;
    if (look > times) return `the file was not indexed within ${times * pause / 1_000} seconds${cause}`;
    await sleep(pause, signal);
  }
}

async function checkUser({ url, secretKey, apiKey, signal }: Place, user: SmokeUser): Promise<Finding> {
  const client = createClient({ baseUrl: url, apiKey, supabaseKey: secretKey });
  await client.signIn(user.email, user.password);
  await client.listThreads(user.id, undefined, { signal });
  return null;
}

/** Describes an error as a finding, with the service's details. */
export function findingFrom(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it did not finish in time";
  const details = error instanceof ServiceError ? error.body.details : undefined;
  return [error.message, details].filter(Boolean).join(": ");
}

/** A user of the project's Auth that is made to try a deployment. */
type SmokeUser = { id: string; email: string; password: string };

/** Creates a user who can sign in. @throws {Error} with the address when that fails. */
async function createSmokeUser(operator: Operator): Promise<SmokeUser> {
  const credentials = { email: `smoke-test-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const { data: { user }, error } = await operator.auth.admin.createUser({ ...credentials, email_confirm: true });
  if (user === null) throw new Error(`the user ${credentials.email} cannot be created: ${error?.message}`);
  return { id: user.id, ...credentials };
}

/** Removes a user. @throws {Error} when that is refused. */
async function removeSmokeUser(operator: Operator, id: string): Promise<void> {
  const { error } = await operator.auth.admin.deleteUser(id);
  if (error !== null) throw error;
}

/** A PDF file with one page that shows a line of plain Latin letters. */
function writePdf(line: string): string {
  const shown = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}` +
    `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

/** A project, opened with its secret key. */
type Operator = SupabaseClient<Database>;

/** An account that is made to try a deployment, with a coach and a key. */
type SmokeAccount = { accountId: string; coachId: string; apiKey: string };

const created = z.object({ id: z.string() });
const issued = z.object({ api_key: z.string() });

/** Makes an account, and nothing else in it. */
async function createSmokeAccount(operator: Operator): Promise<string> {
  const { data } = await operator.rpc("create_account", { name: "Smoke test" }).throwOnError();
  return created.parse(data).id;
}

/** Gives an account a coach and a key. */
async function fillSmokeAccount(operator: Operator, accountId: string): Promise<SmokeAccount> {
  const coach = await operator.rpc("create_coach", {
    account_id: accountId,
    name: "Smoke test",
    title: "Deployment test",
    instructions: "Answer with one short sentence.",
  }).throwOnError();
  const key = await operator.rpc("issue_api_key", { account_id: accountId, name: "Smoke test" }).throwOnError();
  return {
    accountId,
    coachId: created.parse(coach.data).id,
    apiKey: issued.parse(key.data).api_key,
  };
}

/** The tables with an account's rows, in the order in which they can be deleted. */
const tables = ["threads", "knowledge_files", "coach_profiles"] as const;

/** Removes an account and its rows. What they leave behind elsewhere is removed by the next run of the indexer. */
export async function removeSmokeAccount(operator: Operator, accountId: string): Promise<void> {
  for (const table of tables) await operator.from(table).delete().eq("account_id", accountId).throwOnError();
  await operator.from("accounts").delete().eq("id", accountId).throwOnError();
}

/** Says how to remove an account in the dashboard. */
function removalByHand(accountId: string): string {
  const statements = tables.map((table) => `delete from ${table} where account_id = '${accountId}'`);
  return `Remove it in the SQL editor: ${
    [...statements, `delete from accounts where id = '${accountId}'`].join("; ")
  };`;
}
