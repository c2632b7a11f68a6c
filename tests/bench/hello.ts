/** The baseline of the cold start: the least that a function on Hono can be. */
import { Hono } from "hono";

Deno.serve(new Hono().all("*", (c) => c.text("hello")).fetch);
