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
  const read = async (path: string): Promise<Record<string, unknown>> => {
    try {
      const response = await fetch(`${api}/v1/${path}`, {
        headers: { Authorization: `Bearer ${accessToken}` },
        signal: AbortSignal.timeout(patience),
      });
      return response.ok ? await response.json() : {};
    } catch {
      return {};
    }
  };
  const [{ db_schema: schemas }, { plan }] = await Promise.all([
    read(`projects/${projectRef}/postgrest`),
    read(`organizations/${encodeURIComponent(organization)}`),
  ]);
  return {
    plan: typeof plan === "string" ? plan : null,
    schemas: typeof schemas === "string" ? schemas.split(",").map((name) => name.trim()).filter((name) => name) : null,
  };
}
