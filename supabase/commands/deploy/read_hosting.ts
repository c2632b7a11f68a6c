import { z } from "zod";

const dataApi = z.object({ db_schema: z.string() });
const subscription = z.object({ plan: z.string() });

/** Information about a project that only the Management API has; null if it does not respond. */
export type Hosting = {
  /** The plan of the organisation: `free`, `pro` … */
  plan: string | null;
  /** The schemas that the Data API serves: none when it is off. */
  schemas: string[] | null;
};

/** The address of that API, and the access token for it. Without a token it is not asked. */
export type HostingOptions = { api: string; accessToken: string | undefined; projectRef: string; organization: string };

const patience = 10_000;

/** Asks the Management API. Never rejects: a deployment works without the answer. */
export async function readHosting(options: HostingOptions): Promise<Hosting> {
  const { api, accessToken, projectRef, organization } = options;
  if (!accessToken) return { plan: null, schemas: null };
  const read = async <Reply>(path: string, reply: z.ZodType<Reply>): Promise<Reply | null> => {
    try {
      const response = await fetch(`${api}/v1/${path}`, {
        headers: { Authorization: `Bearer ${accessToken}` },
        signal: AbortSignal.timeout(patience),
      });
      return response.ok ? reply.parse(await response.json()) : null;
    } catch {
      return null;
    }
  };
  const [servedApi, billed] = await Promise.all([
    read(`projects/${projectRef}/postgrest`, dataApi),
    read(`organizations/${encodeURIComponent(organization)}`, subscription),
  ]);
  return {
    plan: billed?.plan ?? null,
    schemas: servedApi?.db_schema.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? null,
  };
}
