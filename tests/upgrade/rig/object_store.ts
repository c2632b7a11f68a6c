import { serve } from "../../support/serve.ts";

/** A substitute for Storage, with what the service uses of it. */
export type ObjectStore = AsyncDisposable & {
  url: string;
  /** The paths of the objects, with their bucket. */
  paths(): string[];
};

/** Starts an empty one. */
export function startObjectStore(): ObjectStore {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const server = serve(async (request) => {
    const [, path = ""] = /^\/storage\/v1\/object\/(.*)$/.exec(decodeURIComponent(new URL(request.url).pathname)) ?? [];
    switch (request.method) {
      case "POST":
      case "PUT":
        objects.set(path, await request.bytes());
        return Response.json({ Id: crypto.randomUUID(), Key: path });
      case "DELETE": {
        const { prefixes } = await request.json() as { prefixes: string[] };
        return Response.json(prefixes.filter((name) => objects.delete(`${path}/${name}`)).map((name) => ({ name })));
      }
      default: {
        const object = objects.get(path);
        return object === undefined
          ? Response.json({ statusCode: "404", error: "not_found", message: "Object not found" }, { status: 400 })
          : new Response(object);
      }
    }
  });
  return { url: server.url, paths: () => [...objects.keys()], [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}
