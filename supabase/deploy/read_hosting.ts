import { z } from "zod";

const dataApi = z.object({ db_schema: z.string() });
const subscription = z.object({ plan: z.string() });

/** What the Management API knows of a project and the CLI does not tell; null is what it does not say. */
export type Hosting = {
  /** Of the organisation: `free`, `pro` … */
  plan: string | null;
  /** The schemas that the Data API serves: none when it is off. */
  schemas: string[] | null;
};

/** Where that API is, and as whom it is asked. Without a token of one's own in the environment it is not asked. */
export type HostingOptions = { api: string; accessToken: string | undefined; projectRef: string; organization: string };

const patience = 10_000;

/** Asks it. Never rejects: it is good to know, and nothing more. */
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
