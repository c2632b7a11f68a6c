import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../shared/infra/db/database_types.ts";
import type { Role } from "../../shared/features/experts/roles.ts";
import { pageOrigin } from "./page_origin.ts";
import { projectVariable } from "./service.ts";

const noSession = { auth: { persistSession: false, autoRefreshToken: false } };

const keyOf = (name: string): string => JSON.parse(projectVariable(name)).default;

/** The project's secret key. */
export const secretKey: string = keyOf("SUPABASE_SECRET_KEYS");

/** The official client with the project's secret key, as operators use it. */
export const operator = createClient<Database>(projectVariable("SUPABASE_URL"), secretKey, noSession);

/** The project's publishable key. */
export const publishableKey: string = keyOf("SUPABASE_PUBLISHABLE_KEYS");

/**
 * The official client with the publishable key and without a signed-in user, as apps use it.
 *
 * @param send instead of `fetch`
 */
export function createAppClient(send: typeof fetch = fetch) {
  const options = { ...noSession, global: { fetch: send } };
  return createClient<Database>(projectVariable("SUPABASE_URL"), publishableKey, options);
}

/** An account with one coach and one key, made for one test. */
export type Tenant = {
  accountId: string;
  coachId: string;
  /** The name of the coach's model, which no other test uses. */
  modelName: string;
  apiKey: string;
  keyId: string;
};

/** Every scope of a secret key. */
export const allScopes = ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write", "expert"];

export type KeyOptions = Omit<Database["public"]["Functions"]["issue_api_key"]["Args"], "account_id" | "name">;

/** Creates an account as an operator does. */
export async function createTenant(
  key: KeyOptions = {},
  coach: Partial<Database["public"]["Tables"]["coach_profiles"]["Insert"]> = {},
): Promise<Tenant> {
  const { data: account } = await operator.from("accounts").insert({ name: "Test" }).select("id").single()
    .throwOnError();
  const modelName = crypto.randomUUID();
  const { id: coachId } = await createCoach(account.id, { model: modelName, ...coach });
  return { accountId: account.id, coachId, modelName, ...await issueKey(account.id, key) };
}

/** Adds a coach to an account. */
export async function createCoach(
  accountId: string,
  fields: Partial<Database["public"]["Tables"]["coach_profiles"]["Insert"]> = {},
) {
  const { data } = await operator.from("coach_profiles").insert({
    account_id: accountId,
    name: "Ada Byron",
    title: "Mathematics Coach",
    instructions: "Explain with engines.",
    ...fields,
  }).select().single().throwOnError();
  return data;
}

/** Adds an API key to an account. */
export async function issueKey(
  accountId: string,
  options: KeyOptions = {},
): Promise<{ apiKey: string; keyId: string }> {
  const { data } = await operator.rpc("issue_api_key", { account_id: accountId, name: "test", ...options })
    .throwOnError();
  const { id, api_key } = data as { id: string; api_key: string };
  return { apiKey: api_key, keyId: id };
}

export type PublishableKeyOptions = Partial<
  Omit<Database["public"]["Functions"]["issue_publishable_key"]["Args"], "account_id" | "name">
>;

/** Adds a publishable key to an account. */
export async function issuePublishableKey(
  accountId: string,
  options: PublishableKeyOptions = {},
): Promise<{ publishableKey: string; keyId: string }> {
  const { data } = await operator.rpc("issue_publishable_key", {
    account_id: accountId,
    name: "page",
    origins: [pageOrigin],
    ...options,
  }).throwOnError();
  const { id, api_key } = data as { id: string; api_key: string };
  return { publishableKey: api_key, keyId: id };
}

/** A signed-up user with a session. */
export type User = { id: string; email: string; password: string; accessToken: string; refreshToken: string };

/** Signs a new user up. */
export async function createUser(
  { email, password } = { email: `${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() },
): Promise<User> {
  const credentials = { email, password };
  const { data, error } = await createAppClient().auth.signUp(credentials);
  if (error || !data.session || !data.user) throw new Error(`Cannot sign up: ${error?.message}`);
  return {
    ...credentials,
    id: data.user.id,
    accessToken: data.session.access_token,
    refreshToken: data.session.refresh_token,
  };
}

/** Signs a new anonymous user in, as a page does for a visitor. */
export async function signInAnonymously(): Promise<{ id: string; accessToken: string }> {
  const { data: { session }, error } = await createAppClient().auth.signInAnonymously();
  if (session === null) throw new Error(`Cannot sign in: ${error?.message}`);
  return { id: session.user.id, accessToken: session.access_token };
}

/** Makes a user an expert of a coach, as an operator does. */
export async function addExpert(coachId: string, { id }: { id: string }, role: Role): Promise<void> {
  await operator.from("coach_experts").insert(
    // The database fills in the account.
    { coach_id: coachId, user_id: id, role } as Database["public"]["Tables"]["coach_experts"]["Insert"],
  ).throwOnError();
}
