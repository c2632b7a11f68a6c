/** A file as a browser gets it. */
export type LocalFile = {
  type: string;
  content: string | Uint8Array<ArrayBuffer>;
  /** Instead of that of the other files. */
  contentSecurityPolicy?: string;
};

/** The source of files, and the policies of the pages among them. */
export type LocalFiles = {
  /** Returns the file at a path, null if there is none, or undefined as long as it is not known. */
  read: (path: string) => Promise<LocalFile | null | undefined>;
  contentSecurityPolicy: string;
};

/** Serves pages that contain keys of this stack only to this machine's browser, and not to scripts of other sites. */
export function serveLocalFiles(
  { read, contentSecurityPolicy }: LocalFiles,
): (request: Request) => Promise<Response> {
  const headers = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": contentSecurityPolicy,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
  const refuse = (status: number, error: string, extraHeaders: Record<string, string> = {}) =>
    Response.json({ error }, { status, headers: { ...headers, ...extraHeaders } });
  return async (request) => {
    const { hostname, pathname } = new URL(request.url);
    // Another site can make its own name resolve to this machine, and its scripts could then read the keys.
    if (hostname !== "127.0.0.1" && hostname !== "localhost") {
      return refuse(403, "This page is served at 127.0.0.1 and localhost only");
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(405, "Method not allowed", { Allow: "GET, HEAD" });
    }
    const file = await read(pathname);
    if (file === undefined) return refuse(503, "The service is starting", { "Retry-After": "1" });
    if (file === null) return refuse(404, "Not found");
    const own = file.contentSecurityPolicy;
    return new Response(file.content, {
      headers: { ...headers, ...(own ? { "Content-Security-Policy": own } : {}), "Content-Type": file.type },
    });
  };
}
