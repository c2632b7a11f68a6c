import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { join } from "node:path";
import { z } from "zod";
import { delay } from "../../shared/libs/base/std/async.ts";
import { digestApiKey } from "../../shared/core/auth/digest.ts";
import type { Database, Json } from "../../shared/infra/db/database_types.ts";
import type { StackState } from "./state.ts";
import { createHash } from "node:crypto";
import { Source } from "../../shared/core/answers/stored_answer.ts";

/** The account of `seed.sql`. */
export const demoAccountId = "00000000-0000-4000-8000-000000000001";

/** The user in `seed.sql` whose conversations the demo user gets. */
const seededUserId = "demo-user";

/** The files of each coach, in a folder with the ID of the coach. */
const knowledgeFolder = join(import.meta.dirname!, "demo_knowledge");

/** The ports on which development servers usually serve pages. */
const pagePorts = [3000, 5173, 8000, 8080];

const issued = z.object({ api_key: z.string() });
const found = z.object({ is_origin_allowed: z.boolean() }).nullable();

/** The first coach of `seed.sql`: the one that has an expert. */
export const demoCoachId = "demo-coach";

export const demoEmail = "demo@example.com";
export const coachEmail = "mara@example.com";

/**
 * Makes sure that the demo account has its two users and three working API keys: a secret one, and publishable ones for
 * pages on this machine and for AI clients. The account, its coaches and their conversations come from `seed.sql`.
 *
 * @param baseUrl the address of the stack, whose pages may use the publishable key too
 */
export async function ensureDemo(backend: string, baseUrl: string, state: StackState): Promise<void> {
  const { secrets } = state;
  const service = createClient<Database>(backend, secrets.secretKey, { auth: { persistSession: false } });

  const userId = await ensureUser(backend, secrets.publishableKey, demoEmail, secrets.demoPassword);
  await service.from("threads").update({ user_id: userId }).eq("user_id", seededUserId).throwOnError();
  const ownerId = await ensureUser(backend, secrets.publishableKey, coachEmail, secrets.coachPassword);
  await service.from("coach_profiles").update({ owner_id: ownerId }).eq("id", demoCoachId).is("owner_id", null)
    .throwOnError();

  const isUsable = async (apiKey: string | null, use: { origin?: string; is_for_mcp?: boolean } = {}) => {
    const key_digest = apiKey && digestApiKey(apiKey);
    if (!key_digest) return false;
    const { data } = await service.rpc("find_api_key", { key_digest, ...use }).throwOnError();
    return found.parse(data)?.is_origin_allowed === true;
  };
  const account_id = demoAccountId;
  if (!await isUsable(secrets.apiKey)) {
    const { data } = await service.rpc("issue_api_key", { account_id, name: "demo" }).throwOnError();
    secrets.apiKey = issued.parse(data).api_key;
    await state.save();
  }
  if (!await isUsable(secrets.pageKey, { origin: baseUrl })) {
    const ports = new Set([...pagePorts.map(String), new URL(baseUrl).port]);
    const origins = [...ports].flatMap((port) =>
      // Written as browsers do: without the default port of the scheme.
      ["localhost", "127.0.0.1"].map((host) => new URL(`http://${host}:${port}`).origin)
    );
    const { data } = await service.rpc("issue_publishable_key", { account_id, name: "demo pages", origins })
      .throwOnError();
    secrets.pageKey = issued.parse(data).api_key;
    await state.save();
  }
  if (!await isUsable(secrets.mcpKey, { is_for_mcp: true })) {
    const { data } = await service.rpc("issue_publishable_key", {
      account_id,
      name: "demo AI clients",
      origins: [],
      allows_mcp: true,
    }).throwOnError();
    secrets.mcpKey = issued.parse(data).api_key;
    await state.save();
  }
}

/** Uploads the files of `demo_knowledge`, unless their coach has some, and waits until answers can draw on them. */
export async function ensureDemoKnowledge(baseUrl: string, { secrets }: StackState): Promise<void> {
  const service = createClient<Database>(baseUrl, secrets.secretKey, { auth: { persistSession: false } });
  await Promise.all(Array.from(Deno.readDirSync(knowledgeFolder), async ({ name: coachId }) => {
    const filesOfCoach = async () =>
      (await service.from("knowledge_files").select("due_at, error").eq("coach_id", coachId).throwOnError()).data;
    if ((await filesOfCoach()).length > 0) return;
    await uploadFolder(`${baseUrl}/functions/v1/knowledge-handler?coachId=${coachId}`, coachId, secrets.apiKey!);
    // A file with an error is not waited for: its next try may be much later.
    while ((await filesOfCoach()).some(({ due_at, error }) => due_at !== null && error === null)) await delay(100);
    await nameSources(service, coachId);
  }));
}

async function uploadFolder(address: string, coachId: string, apiKey: string): Promise<void> {
  const form = new FormData();
  for await (const { name } of Deno.readDir(join(knowledgeFolder, coachId))) {
    form.append("files", new File([await Deno.readFile(join(knowledgeFolder, coachId, name))], name));
  }
  const response = await fetch(address, { method: "POST", headers: { "X-API-Key": apiKey }, body: form });
  if (!response.ok) throw new Error(`Cannot upload the files of ${coachId}: ${await response.text()}`);
  await response.body?.cancel();
}

/** The ID of a user, who is signed up if necessary. */
async function ensureUser(backend: string, publishableKey: string, email: string, password: string): Promise<string> {
  const { auth } = createClient(backend, publishableKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const login = await auth.signInWithPassword({ email, password });
  const { data, error } = login.error ? await auth.signUp({ email, password }) : login;
  if (error || !data.user) throw new Error(`Cannot create the user ${email}: ${error?.message}`);
  return data.user.id;
}

const answers = z.array(z.object({ id: z.string(), sources: z.array(Source) }));

/** Adds the IDs of passages to the sources of the answers in `seed.sql`, so that the expert can open and bar them. */
async function nameSources(service: SupabaseClient<Database>, coachId: string): Promise<void> {
  const { data: passages } = await service.from("passages")
    .select("content, position, page, heading, file:knowledge_files!passages_file_is_of_the_coach(id, filename:name)")
    .eq("coach_id", coachId).throwOnError();
  const { data } = await service.from("messages").select("id, sources, threads!inner()")
    .eq("threads.coach_id", coachId).not("sources", "is", null).throwOnError();

  await Promise.all(
    answers.parse(data).map(async ({ id, sources }) => {
      const named: Json = sources.map((source) => {
        const found = source.kind === "passage" &&
          passages.find(({ content, file }) =>
            file.filename === source.filename && content.replace(/\s+/g, " ").includes(source.quote)
          );
        if (!found) return source;
        const passageId = createHash("md5").update(found.content).digest("hex");
        const { file: { id: fileId }, position, page, heading } = found;
        return { ...source, passageId, fileId, file_id: fileId, position, page, heading };
      });
      await service.from("messages").update({ sources: named }).eq("id", id).throwOnError();
    }),
  );
}
