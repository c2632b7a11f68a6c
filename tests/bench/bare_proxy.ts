/** The baseline: a Hono app on Deno that pipes a reply through and does nothing else. */
import { Hono } from "hono";

const target = Deno.env.get("TARGET")!;
const app = new Hono();

app.post("*", async (c) => {
  const response = await fetch(target + c.req.path, {
    method: "POST",
    headers: { "apikey": c.req.header("apikey") ?? "", "Content-Type": "application/json" },
    body: await c.req.text(),
  });
  return new Response(response.body, response);
});

Deno.serve(app.fetch);
