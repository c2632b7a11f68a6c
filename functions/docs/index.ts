import { createDocsApp } from "../../shared/docs/app.ts";
import { createLog } from "../../shared/log.ts";

Deno.serve(createDocsApp({ createLog }).fetch);
