import type { Handler } from "../http/app_env.ts";
import type { Services } from "../services.ts";
import { sweep } from "./sweep.ts";

/** `POST /indexer`: answered at once, so that whoever calls need not wait for the work. */
export function createPostSweep(services: Services): Handler {
  return (c) => {
    services.waitUntil(sweep(services, c.var.log));
    return c.json({ message: "Indexing has begun" }, 202);
  };
}
