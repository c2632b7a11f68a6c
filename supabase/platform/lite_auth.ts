import { z } from "zod";
import { readJson } from "../../shared/libs/base/fields_of.ts";

/** A mail as `@supabase/lite` sends it. */
type Mail = { to: string; text?: string };

const withEmail = z.looseObject({ email: z.string() });
const forLink = z.looseObject({ type: z.literal("recovery"), email: z.string() });

/** The line at the terminal in place of the mail. */
export function describeLink(email: string, link: string): string {
  return `New password for ${email}: ${link}`;
}

/** The mail that such a line stands for; null for any other line. */
export function readLink(line: string): string | null {
  const [, email, link] = /^New password for (\S+): (http\S+)$/.exec(line) ?? [];
  if (link === undefined) return null;
  return [
    "From: Supabase Auth <no-reply@localhost>",
    `To: ${email}`,
    "Subject: Reset your password",
    `Date: ${new Date().toUTCString()}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Set a new password: ${link}`,
    "",
  ].join("\r\n");
}

/** The newest mail to each address. The local stack sends none. */
export class Mailbox {
  #mails = new Map<string, Mail>();

  send(mail: Mail): Promise<void> {
    this.#mails.set(mail.to, mail);
    return Promise.resolve();
  }

  /** Takes the link out of the newest mail to an address. Null if there is none. */
  takeLink(email: string): URL | null {
    const [link] = /https?:\/\/\S+/.exec(this.#mails.get(email.toLowerCase())?.text ?? "") ?? [];
    this.#mails.delete(email.toLowerCase());
    return link === undefined ? null : new URL(link);
  }
}

/**
 * Completes the recovery of passwords in `@supabase/lite`, whose links ignore `redirect_to`. `POST /auth/v1/recover`
 * passes the link to `onLink`, since nobody reads mails here. As in Supabase Auth, the reply does not say whether there is
 * such a user, and an operator gets a link with `POST /auth/v1/admin/generate_link`, which lite does not have.
 *
 * @param fetch lite's own handler
 * @param mailbox where lite sends its mails
 * @param secretKey the project's key for operators
 */
export function withPasswordRecovery(
  fetch: (request: Request) => Response | Promise<Response>,
  { mailbox, secretKey, onLink }: {
    mailbox: Mailbox;
    secretKey: string;
    onLink: (email: string, link: string) => void;
  },
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const isOperator = request.headers.get("apikey") === secretKey;
    if (request.method !== "POST") return await fetch(request);
    if (pathname === "/auth/v1/recover") return await recover(request);
    if (pathname === "/auth/v1/admin/generate_link" && isOperator) return await generateLink(request);
    return await fetch(request);
  };

  async function recover(request: Request): Promise<Response> {
    const body = await request.clone().json().catch(() => null);
    const response = await fetch(request);
    const { data } = withEmail.safeParse(body);
    const link = data && takeLink(data.email, request);
    if (link) onLink(data.email, link);
    return response;
  }

  async function generateLink(request: Request): Promise<Response> {
    const { data } = forLink.safeParse(await request.json().catch(() => null));
    if (data === undefined) {
      return refuse(400, "validation_failed", "Only links of the type recovery are generated here");
    }
    const { email } = data;
    const headers = { "apikey": secretKey, "Content-Type": "application/json" };
    const asked = new Request(new URL("/auth/v1/recover", request.url), {
      method: "POST",
      headers,
      body: JSON.stringify({ email }),
    });
    await (await fetch(asked)).body?.cancel();
    const link = takeLink(email, request);
    if (link === null) return refuse(404, "user_not_found", "User with this email not found");
    return Response.json({ email, action_link: link, verification_type: "recovery" });
  }

  /** The link of a mail, leading to the page that was asked for. `GET /auth/v1/verify` checks that page. */
  function takeLink(email: string, { url }: Request): string | null {
    const link = mailbox.takeLink(email);
    const page = new URL(url).searchParams.get("redirect_to");
    if (page) link?.searchParams.set("redirect_to", page);
    return link && link.href;
  }
}

/** An error in the form of Supabase Auth. */
function refuse(code: number, error_code: string, msg: string): Response {
  return Response.json({ code, error_code, msg }, { status: code });
}

/** The email domain of anonymous users. The name is reserved, so no mail can be delivered to it. */
const domain = "@anonymous.invalid";

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

/** A time as Postgres writes it. Clients in Python and other languages only read the form of Supabase Auth. */
const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;

/** What users have said of themselves, and what applications and other services have said of them. */
const foreign = ["user_metadata", "app_metadata", "identity_data"];

/** Changes the times of a reply in place. What is not Auth's own stays as it was stored. */
function showTimes(fields: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(fields)) {
    if (foreign.includes(key)) continue;
    if (typeof value === "object" && value !== null) showTimes(value as typeof fields);
    else if (typeof value === "string" && key.endsWith("_at") && time.test(value)) {
      fields[key] = new Date(value).toISOString();
    }
  }
}

/** Shows times, and anonymous users, alone or in their session, as Supabase Auth does. */
async function hide(response: Response): Promise<Response> {
  const body = await response.json();
  showTimes({ body });
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
