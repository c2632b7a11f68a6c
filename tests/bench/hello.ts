/** The baseline of the cold start: the smallest function on Hono. */
import { Hono } from "hono";

Deno.serve(new Hono().all("*", (c) => c.text("hello")).fetch);
