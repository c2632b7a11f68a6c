import { z } from "zod";

/** The email domain of anonymous users. The name is reserved, so no mail can be delivered to it. */
const domain = "@anonymous.invalid";

/** The body of a sign-up. */
const signUp = z.looseObject({ email: z.string().nullish(), phone: z.string().nullish() });

const user = z.looseObject({ email: z.string(), user_metadata: z.record(z.string(), z.unknown()) });
const session = z.looseObject({ user });

/**
 * Adds the anonymous sign-in of Supabase Auth to `@supabase/lite`: a sign-up without an email address and a phone
 * number. Lite only supports users with an address, so a random one is used, with a random password, and left out of
 * every reply. A user who adds an address becomes permanent (`anonymous_users.sql`).
 *
 * @param fetch lite's own handler
 */
export function withAnonymousSignIn(
  fetch: (request: Request) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/auth/v1/")) return await fetch(request);
    const isSignUp = pathname === "/auth/v1/signup" && request.method === "POST";
    const response = await fetch(isSignUp ? await fillIn(request) : request);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    return response.ok && isJson ? await hide(response) : response;
  };
}

/** Adds the fields that lite requires to the sign-up of an anonymous user; all others are unchanged. */
async function fillIn(request: Request): Promise<Request> {
  const text = await request.text();
  const { data } = signUp.safeParse(readJson(text));
  const isAnonymous = data !== undefined && !data.email && !data.phone;
  const made = { ...data, email: crypto.randomUUID() + domain, password: crypto.randomUUID() };
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  return new Request(request.url, { method: "POST", headers, body: isAnonymous ? JSON.stringify(made) : text });
}

/** Shows anonymous users, alone or in their session, as Supabase Auth does. */
async function hide(response: Response): Promise<Response> {
  const body = await response.json();
  const { data } = session.safeParse(body);
  const shown = data === undefined ? hideUser(body) : { ...data, user: hideUser(data.user) };
  const headers = new Headers(response.headers);
  headers.delete("Content-Length");
  return Response.json(shown, { status: response.status, headers });
}

function hideUser(body: unknown): unknown {
  const { data } = user.safeParse(body);
  if (!data?.email.endsWith(domain)) return body;
  const { email_confirmed_at: _1, confirmed_at: _2, ...rest } = data;
  const { email: _3, email_verified: _4, phone_verified: _5, sub: _6, ...metadata } = data.user_metadata;
  return {
    ...rest,
    email: "",
    app_metadata: {},
    user_metadata: metadata,
    identities: [],
    is_anonymous: true,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
