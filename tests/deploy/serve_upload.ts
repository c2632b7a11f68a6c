/**
 * Starts an uploaded function, the first argument, on the port of this machine that the second names: only the platform
 * and later versions of Deno can tell a function that calls `Deno.serve(handler)` where to listen.
 */
const [entryPoint = "", port] = Deno.args;
const serve: (options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) => Deno.HttpServer = Deno.serve;
Object.assign(Deno, {
  serve: (handler: Deno.ServeHandler) =>
    serve({ port: Number(port), hostname: "127.0.0.1", onListen: () => {} }, handler),
});
await import(entryPoint);
