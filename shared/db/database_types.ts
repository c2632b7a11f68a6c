
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "accounts": {
                  Row: {
                    "created_at": string,"id": string,"name": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"name": string
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"name"?: string
                  }
                  Relationships: [
                    
                  ]
                },"coach_profiles": {
                  Row: {
                    "account_id": string,"created_at": string,"greeting": string | null,"history_limit": number,"id": string,"instructions": string,"is_active": boolean,"language": string,"model": string | null,"name": string,"owner_id": string | null,"temperature": number | null,"title": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"created_at"?: string,"greeting"?: string | null,"history_limit"?: number,"id"?: string,"instructions": string,"is_active"?: boolean,"language"?: string,"model"?: string | null,"name": string,"owner_id"?: string | null,"temperature"?: number | null,"title": string
                  }
                  Update: {
                    "account_id"?: string,"created_at"?: string,"greeting"?: string | null,"history_limit"?: number,"id"?: string,"instructions"?: string,"is_active"?: boolean,"language"?: string,"model"?: string | null,"name"?: string,"owner_id"?: string | null,"temperature"?: number | null,"title"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "coach_profiles_account_id_fkey"
      columns: ["account_id"]
isOneToOne: false
      referencedRelation: "accounts"
      referencedColumns: ["id"]
    }
                  ]
                },"knowledge_files": {
                  Row: {
                    "account_id": string,"attempts": number,"bookmark": Json | null,"category": string,"claim": string | null,"coach_id": string,"content_type": string,"digest": string,"due_at": string | null,"error": string | null,"id": string,"name": string,"number": number,"size": number,"status": string,"storage_path": string,"updated_at": string,"uploaded_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"attempts"?: number,"bookmark"?: Json | null,"category": string,"claim"?: string | null,"coach_id": string,"content_type": string,"digest": string,"due_at"?: string | null,"error"?: string | null,"id"?: string,"name": string,"number"?: never,"size": number,"status"?: string,"storage_path": string,"updated_at"?: string,"uploaded_at"?: string
                  }
                  Update: {
                    "account_id"?: string,"attempts"?: number,"bookmark"?: Json | null,"category"?: string,"claim"?: string | null,"coach_id"?: string,"content_type"?: string,"digest"?: string,"due_at"?: string | null,"error"?: string | null,"id"?: string,"name"?: string,"number"?: never,"size"?: number,"status"?: string,"storage_path"?: string,"updated_at"?: string,"uploaded_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "knowledge_files_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                },"messages": {
                  Row: {
                    "content": string,"created_at": string,"error": string | null,"id": string,"input_tokens": number | null,"mode": string | null,"output_tokens": number | null,"request_id": string | null,"response_id": string | null,"role": string,"sequence": number,"sources": Json | null,"status": string,"stop_requested_at": string | null,"thread_id": string,"updated_at": string,"writer_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "content"?: string,"created_at"?: string,"error"?: string | null,"id"?: string,"input_tokens"?: number | null,"mode"?: string | null,"output_tokens"?: number | null,"request_id"?: string | null,"response_id"?: string | null,"role": string,"sequence"?: never,"sources"?: Json | null,"status"?: string,"stop_requested_at"?: string | null,"thread_id": string,"updated_at"?: string,"writer_id"?: string | null
                  }
                  Update: {
                    "content"?: string,"created_at"?: string,"error"?: string | null,"id"?: string,"input_tokens"?: number | null,"mode"?: string | null,"output_tokens"?: number | null,"request_id"?: string | null,"response_id"?: string | null,"role"?: string,"sequence"?: never,"sources"?: Json | null,"status"?: string,"stop_requested_at"?: string | null,"thread_id"?: string,"updated_at"?: string,"writer_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "messages_thread_id_fkey"
      columns: ["thread_id"]
isOneToOne: false
      referencedRelation: "threads"
      referencedColumns: ["id"]
    }
                  ]
                },"passages": {
                  Row: {
                    "coach_id": string,"content": string,"file_id": string,"frequencies": (number)[],"heading": string | null,"id": number,"length": number,"page": number | null,"position": number,"terms": (number)[]
                  }
                  ComputedFields: never
                  Insert: {
                    "coach_id": string,"content": string,"file_id": string,"frequencies": (number)[],"heading"?: string | null,"id"?: never,"length": number,"page"?: number | null,"position": number,"terms": (number)[]
                  }
                  Update: {
                    "coach_id"?: string,"content"?: string,"file_id"?: string,"frequencies"?: (number)[],"heading"?: string | null,"id"?: never,"length"?: number,"page"?: number | null,"position"?: number,"terms"?: (number)[]
                  }
                  Relationships: [
                    {
      foreignKeyName: "passages_file_is_of_the_coach"
      columns: ["file_id","coach_id"]
isOneToOne: false
      referencedRelation: "knowledge_files"
      referencedColumns: ["id","coach_id"]
    }
                  ]
                },"threads": {
                  Row: {
                    "account_id": string,"coach_id": string,"created_at": string,"id": string,"title": string,"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"coach_id": string,"created_at"?: string,"id"?: string,"title"?: string,"updated_at"?: string,"user_id": string
                  }
                  Update: {
                    "account_id"?: string,"coach_id"?: string,"created_at"?: string,"id"?: string,"title"?: string,"updated_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "threads_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                }
          }
          Views: {
            [_ in never]: never
          }
          Functions: {
            "admit_request":
{ Args: { "is_counted": boolean,"key_digest": string }; Returns: Json
                           },
"begin_turn":
{ Args: { "account_id": string,"coach_id": string,"content": string,"fingerprint"?: string,"idempotency_key"?: string,"is_expert_action"?: boolean,"is_signed_in"?: boolean,"mode": string,"query_vector"?: string,"request_id": string,"thread_id": string,"title": string,"turn_id"?: string,"user_id": string }; Returns: Json
                           },
"begin_upload":
{ Args: { "account_id": string,"coach_id": string,"user_id": string }; Returns: Json
                           },
"delete_knowledge_file":
{ Args: { "account_id": string,"coach_id": string,"file_id": string,"user_id": string }; Returns: Json
                           },
"end_upload":
{ Args: { "account_id"?: string,"coach_id": string,"files": Json,"fingerprint"?: string,"idempotency_key"?: string,"objects": number,"upload_id": string,"user_id"?: string }; Returns: Json
                           },
"forget_removals":
{ Args: { "paths": (string)[] }; Returns: undefined
                           },
"issue_api_key":
{ Args: { "account_id": string,"expires_at"?: string,"name": string,"requests_per_day"?: number,"requests_per_hour"?: number,"requests_per_minute"?: number,"scopes"?: (string)[] }; Returns: Json
                           },
"list_messages":
{ Args: { "account_id": string,"after_at"?: number,"after_sequence"?: number,"page_size"?: number,"skip_orphans"?: boolean,"thread_id": string,"user_id"?: string }; Returns: Json
                           },
"list_threads":
{ Args: { "account_id": string,"after_at"?: number,"after_id"?: string,"coach_id"?: string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"postpone_indexing":
{ Args: { "claim": string,"file_id": string,"reason": string,"takes_next"?: boolean }; Returns: Json
                           },
"read_answers":
{ Args: { "asked": Json }; Returns: Json
                           },
"revoke_api_key":
{ Args: { "id": string }; Returns: Json
                           },
"save_indexing":
{ Args: { "bookmark"?: Json,"claim": string,"file_id": string,"from_position": number,"passages": Json,"reason"?: string,"status": string,"takes_next"?: boolean }; Returns: Json
                           },
"save_turns":
{ Args: { "turns": Json }; Returns: Json
                           },
"search_knowledge":
{ Args: { "account_id": string,"category"?: string,"coach_id": string,"page"?: number,"page_size"?: number,"query_vector"?: string,"search"?: string }; Returns: Json
                           },
"search_passages":
{ Args: { "coach_id": string,"context"?: string,"how_many"?: number,"query": string,"query_vector"?: string }; Returns: {
              "content": string,"file_id": string,"filename": string,"heading": string,"page": number,"passage_id": number,"position": number,"score": number
            }[]
                           },
"stop_turn":
{ Args: { "account_id": string,"is_forced": boolean,"message_id": string,"user_id": string }; Returns: Json
                           },
"store_passages":
{ Args: { "file_id": string,"from_position": number,"passages": Json }; Returns: number
                           },
"take_indexing_work":
{ Args: Record<PropertyKey, never>; Returns: Json
                           }
          }
          Enums: {
            [_ in never]: never
          }
          CompositeTypes: {
            [_ in never]: never
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "public": {
          Enums: {
            
          }
        }
} as const
