import { createDocsApp } from "../../shared/api/docs/app.ts";
import { createLog } from "../../shared/infra/log.ts";

Deno.serve(createDocsApp({ createLog }).fetch);
