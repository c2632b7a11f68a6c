// Written by `npm run client`; not to be edited.
import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [
  {
    method: "POST",
    path: "/knowledge-handler/contradictions/:contradictionId/settle",
    load: () => import("../../features/contradictions/settle_contradiction.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/contradictions",
    load: () => import("../../features/contradictions/list_contradictions.ts"),
  },
  {
    method: "POST",
    path: "/knowledge-handler/sources/:sourceId/refresh",
    load: () => import("../../features/sources/refresh_source.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/sources/:sourceId",
    load: () => import("../../features/sources/get_source.ts"),
  },
  {
    method: "PATCH",
    path: "/knowledge-handler/sources/:sourceId",
    load: () => import("../../features/sources/update_source.ts"),
  },
  {
    method: "DELETE",
    path: "/knowledge-handler/sources/:sourceId",
    load: () => import("../../features/sources/delete_source.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/sources",
    load: () => import("../../features/sources/list_sources.ts"),
  },
  {
    method: "POST",
    path: "/knowledge-handler/sources",
    load: () => import("../../features/sources/add_source.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/texts/:fileId",
    load: () => import("../../features/texts/get_text.ts"),
  },
  {
    method: "PUT",
    path: "/knowledge-handler/texts/:fileId",
    load: () => import("../../features/texts/save_text.ts"),
  },
  {
    method: "POST",
    path: "/knowledge-handler/texts",
    load: () => import("../../features/texts/create_text.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/:fileId/changes",
    load: () => import("../../features/knowledge/list_file_changes.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/:fileId/content",
    load: () => import("../../features/reading/get_original.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/:fileId/passages/:passageId",
    load: () => import("../../features/reading/get_passage.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/:fileId/quotes",
    load: () => import("../../features/knowledge/list_file_quotes.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler/:fileId",
    load: () => import("../../features/reading/get_file.ts"),
  },
  {
    method: "PUT",
    path: "/knowledge-handler/:fileId",
    load: () => import("../../features/knowledge/replace_file.ts"),
  },
  {
    method: "PATCH",
    path: "/knowledge-handler/:fileId",
    load: () => import("../../features/knowledge/update_file.ts"),
  },
  {
    method: "DELETE",
    path: "/knowledge-handler/:fileId",
    load: () => import("../../features/knowledge/delete_file.ts"),
  },
  {
    method: "GET",
    path: "/knowledge-handler",
    load: () => import("../../features/knowledge/search_files.ts"),
  },
  {
    method: "POST",
    path: "/knowledge-handler",
    load: () => import("../../features/knowledge/upload_files.ts"),
  },
];
