import type { PGlite } from "@electric-sql/pglite";
import { sendError, sendReply, type Signature, signaturesQuery, writeCall } from "./function_calls.ts";
import type { Session } from "./share_session.ts";

/**
 * Answers the service's calls of SQL functions as PostgREST does. Lite takes twice as long for a call, and knows neither
 * read-only transactions nor the settings of functions; all other requests are left to it.
 *
 * @param fetch lite's own handler
 */
export async function answerCalls(
  fetch: (request: Request) => Promise<Response>,
  { postgres, session, secretKey }: { postgres: PGlite; session: Session; secretKey: string },
): Promise<(request: Request) => Promise<Response>> {
  const { rows } = await postgres.query<Signature>(signaturesQuery);
  const signatures = new Map(rows.map((signature) => [signature.name, signature]));

  function isOfService({ headers }: Request): boolean {
    return headers.get("apikey") === secretKey &&
      [null, `Bearer ${secretKey}`].includes(headers.get("Authorization"));
  }

  async function call(name: string, body: string): Promise<Response> {
    try {
      const { begin, settings, text } = writeCall(signatures.get(name), name, body);
      const { rows: [row] } = await session.transact([{ text: begin }, settings], { text, values: [body] });
      return sendReply((row as { reply: string }).reply);
    } catch (error) {
      return sendError(error);
    }
  }

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const [, name] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(pathname) ?? [];
    const isCall = name !== undefined && request.method === "POST" && search === "" && isOfService(request);
    return isCall ? await call(name, await request.text()) : await session.answer(() => fetch(request));
  };
}
