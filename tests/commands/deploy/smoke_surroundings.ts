import { ask, assertReply } from "../../support/client.ts";
import { createUser, secretKey } from "../../support/project.ts";
import type { Service } from "../../support/service.ts";

/** All trials of a smoke test after the functions answer. */
export const trials = [
  "an account, a coach and a key",
  "the list of coaches",
  "a message to the model",
  "an upload, and a search for what is in it",
  "a signed-in user",
  "the clock of the indexer",
  "the removal of the user",
  "the removal of the account",
];

/** Calls the indexer, as the database's schedule does every minute, and waits until the indexer is done. */
export async function tickOf(service: Service): Promise<void> {
  const reply = await ask(service, "POST", "/indexer", {}, undefined, { headers: { apikey: secretKey } });
  assertReply(reply, 202);
  await service.turns();
}

/**
 * A project whose Auth creates and removes users with the secret key, as hosted projects do; the project of the tests
 * only has sign-up. `users` holds the users that exist.
 */
export function withUserAdministration(
  answer: (request: Request) => Promise<Response>,
  users: Set<string> = new Set(),
): (request: Request) => Promise<Response> {
  return async (request) => {
    const [, rest] = /^\/auth\/v1\/admin\/users(.*)$/.exec(new URL(request.url).pathname) ?? [];
    if (rest === undefined) return await answer(request);
    if (request.headers.get("apikey") !== secretKey) return Response.json({ msg: "no rights" }, { status: 401 });
    const id = rest.slice(1);
    const show = (user: string) =>
      Response.json({ id: user, aud: "authenticated", created_at: "2026-01-01T00:00:00Z" });
    if (request.method !== "POST" && !users.has(id)) return Response.json({ msg: "no such user" }, { status: 404 });
    if (request.method === "DELETE") users.delete(id);
    if (request.method !== "POST") return show(id);
    const credentials = await request.json();
    if (credentials.email_confirm !== true) return Response.json({ msg: "not confirmed" }, { status: 400 });
    const user = await createUser(credentials);
    users.add(user.id);
    return show(user.id);
  };
}
