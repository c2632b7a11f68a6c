/** The baseline: a Hono app on Deno that pipes a reply through and does nothing else. */
import { Hono } from "hono";

const target = Deno.env.get("TARGET")!;
const app = new Hono();

app.post("*", async (c) => {
  const { body, status, headers } = await fetch(target + c.req.path, {
    method: "POST",
    headers: { "apikey": c.req.header("apikey") ?? "", "Content-Type": "application/json" },
    body: await c.req.text(),
  });
  return c.body(body, status as 200, { "Content-Type": headers.get("Content-Type") ?? "" });
});

Deno.serve(app.fetch);
