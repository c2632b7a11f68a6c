/** A function as it was uploaded. Paths count from the root of the project. */
export type Upload = {
  name: string;
  entrypoint: string;
  importMap: string | null;
  verifyJwt: boolean;
  files: Map<string, Uint8Array<ArrayBuffer>>;
};

/** The part of Supabase's Management API that a deployment of functions calls. */
export type ManagementApi = AsyncDisposable & {
  url: string;
  /** What was uploaded so far, in the order of its arrival. */
  uploads: Upload[];
  /** The names of the functions that were put into service. */
  inService: string[];
  /** Requests that nothing here answers, such as those of a later version of the CLI. */
  unanswered: string[];
};

/** Starts an API that has one project, in which there are no functions yet. */
export function startManagementApi(projectRef: string, accessToken: string): ManagementApi {
  const project = `/v1/projects/${projectRef}`;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    if (request.headers.get("Authorization") !== `Bearer ${accessToken}`) {
      return Response.json({ message: "Unauthorized" }, { status: 401 });
    }
    switch (call) {
      case `GET ${project}`:
        return Response.json({ id: projectRef, ref: projectRef, name: "Test", status: "ACTIVE_HEALTHY" });
      case `GET ${project}/functions`:
        return Response.json([]);
      case `POST ${project}/functions/deploy`: {
        const name = searchParams.get("slug") ?? "";
        const upload = await readUpload(name, await request.formData());
        api.uploads.push(upload);
        // Of several functions, none is in service before all have been uploaded.
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
    url: `http://127.0.0.1:${server.addr.port}`,
    uploads: [],
    inService: [],
    unanswered: [],
    [Symbol.asyncDispose]: () => server.shutdown(),
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
