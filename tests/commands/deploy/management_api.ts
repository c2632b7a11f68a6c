import { join } from "node:path";
import { serve } from "../../support/serve.ts";

/** The only project of the API, and the access token for it. */
export const projectRef = "abcdefghijklmnopqrst";
export const accessToken = `sbp_${"0".repeat(40)}`;

/** An uploaded function. Paths are relative to the root of the project. */
export type Upload = {
  name: string;
  entrypoint: string;
  importMap: string | null;
  verifyJwt: boolean;
  files: Map<string, Uint8Array<ArrayBuffer>>;
};

/** The part of Supabase's Management API that a deployment calls. */
export type ManagementApi = AsyncDisposable & {
  url: string;
  /** The uploads so far, in order. */
  uploads: Upload[];
  /** The names of the functions that are in service. */
  inService: string[];
  /** The project's secrets. */
  secrets: Map<string, string>;
  /** The project's secret key; null: the access token may not read it. */
  secretKey: string | null;
  /** The schemas of the Data API, in the form of the Management API: empty when the Data API is off. */
  schemas: string;
  /** The plan of the organisation. */
  plan: string;
  /** The settings of Auth, those of a new project. */
  auth: Record<string, unknown>;
  /** The status with which Auth's settings are refused, if they are. */
  authRefusal: number | null;
  /** The function whose upload is refused. */
  refused: string | null;
  /** Requests to change something, including refused ones. */
  changes: string[];
  /** Unknown requests, such as those of a later version of the CLI. */
  unanswered: string[];
};

/**
 * Returns an environment in which the CLI calls only this API, with a folder as its home: no settings of this machine
 * get into a deployment, and no request leaves this machine.
 */
export async function makeCliEnv({ url }: Pick<ManagementApi, "url">, home: string): Promise<Record<string, string>> {
  const profile = join(home, "profile.yaml");
  await Deno.writeTextFile(
    profile,
    `name: test\napi_url: ${url}\ndashboard_url: ${url}\nproject_host: supabase.test\n`,
  );
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    SUPABASE_PROFILE: profile,
    SUPABASE_ACCESS_TOKEN: accessToken,
    SUPABASE_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
}

/** Starts an API with one empty project. */
export function startManagementApi(): ManagementApi {
  const description = {
    id: projectRef,
    ref: projectRef,
    organization_id: "test",
    organization_slug: "test",
    name: "Test",
    region: "eu-central-1",
    created_at: "2026-01-01T00:00:00Z",
    status: "ACTIVE_HEALTHY",
    database: {
      host: `db.${projectRef}.supabase.test`,
      version: "17.6.1",
      postgres_engine: "17",
      release_channel: "ga",
    },
  };
  const project = `/v1/projects/${projectRef}`;
  const server = serve(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    if (request.method !== "GET") api.changes.push(call);
    if (request.headers.get("Authorization") !== `Bearer ${accessToken}`) {
      return Response.json({ message: "Unauthorized" }, { status: 401 });
    }
    switch (call) {
      case "GET /v1/projects":
        return Response.json([description]);
      case `GET ${project}`:
        return Response.json(description);
      case `GET ${project}/api-keys`:
        return Response.json([
          { id: "test", name: "default", type: "publishable", api_key: "sb_publishable_test" },
          { id: "more", name: "default", type: "secret", api_key: api.secretKey ?? "sb_secret_Ab3···········" },
        ]);
      case `GET ${project}/postgrest`:
        return Response.json({ db_schema: api.schemas, max_rows: 1_000, db_extra_search_path: "public, extensions" });
      case `GET ${project}/config/auth`:
      case `PATCH ${project}/config/auth`:
        if (api.authRefusal !== null) return Response.json({ message: "Not for you" }, { status: api.authRefusal });
        if (request.method === "PATCH") Object.assign(api.auth, await request.json());
        return Response.json({ ...api.auth, smtp_pass: api.auth.smtp_pass ? "hidden" : null });
      case "GET /v1/organizations/test":
        return Response.json({ id: "test", name: "Test", plan: api.plan });
      case `GET ${project}/config/storage`:
      case `GET ${project}/config/database/pooler`:
        return Response.json({ message: "Not configured" }, { status: 404 });
      case `GET ${project}/secrets`:
        return Response.json([...api.secrets.keys()].map((name) => ({ name, value: "digest" })));
      case `POST ${project}/secrets`:
        for (const { name, value } of await request.json()) api.secrets.set(name, value);
        return new Response(null, { status: 201 });
      case `GET ${project}/functions`:
        return Response.json([...new Set(api.inService)].map((slug) => ({
          id: slug,
          slug,
          name: slug,
          status: "ACTIVE",
          version: 1,
          created_at: 1_767_225_600_000,
          updated_at: 1_767_225_600_000,
          verify_jwt: false,
        })));
      case `POST ${project}/functions/deploy`: {
        const name = searchParams.get("slug") ?? "";
        if (name === api.refused) return Response.json({ message: `No room for ${name}` }, { status: 400 });
        const upload = await readUpload(name, await request.formData());
        api.uploads.push(upload);
        // When several functions are deployed, they go into service only after all have been uploaded.
        if (searchParams.get("bundleOnly") !== "true") api.inService.push(name);
        const { entrypoint, importMap, verifyJwt } = upload;
        return Response.json({
          id: crypto.randomUUID(),
          slug: name,
          name,
          status: "ACTIVE",
          version: 1,
          verify_jwt: verifyJwt,
          entrypoint_path: entrypoint,
          import_map_path: importMap ?? undefined,
        }, { status: 201 });
      }
      case `PUT ${project}/functions`: {
        const functions: { slug: string }[] = await request.json();
        api.inService.push(...functions.map(({ slug }) => slug));
        return Response.json({ functions });
      }
      default:
        api.unanswered.push(call);
        return Response.json({ message: "Not found" }, { status: 404 });
    }
  });
  const api: ManagementApi = {
    url: server.url,
    uploads: [],
    inService: [],
    secrets: new Map(),
    secretKey: null,
    schemas: "public, graphql_public",
    plan: "pro",
    auth: {
      external_anonymous_users_enabled: false,
      site_url: "http://localhost:3000",
      uri_allow_list: "",
      smtp_host: null,
      oauth_server_enabled: false,
      jwt_exp: 3_600,
    },
    authRefusal: null,
    refused: null,
    changes: [],
    unanswered: [],
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
  return api;
}

async function readUpload(name: string, form: FormData): Promise<Upload> {
  const metadata = JSON.parse(String(form.get("metadata")));
  const files = form.getAll("file").filter((part) => part instanceof File);
  return {
    name,
    entrypoint: metadata.entrypoint_path,
    importMap: metadata.import_map_path || null,
    verifyJwt: metadata.verify_jwt ?? true,
    files: new Map(await Promise.all(files.map(async (file) => [file.name, await file.bytes()] as const))),
  };
}
