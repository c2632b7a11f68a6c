
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "accounts": {
                  Row: {
                    "created_at": string,"experts_may_create": boolean,"hash_key": string,"id": string,"name": string,"retention_days": number | null,"retention_due_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"experts_may_create"?: boolean,"hash_key"?: string,"id"?: string,"name": string,"retention_days"?: number | null,"retention_due_at"?: string
                  }
                  Update: {
                    "created_at"?: string,"experts_may_create"?: boolean,"hash_key"?: string,"id"?: string,"name"?: string,"retention_days"?: number | null,"retention_due_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"budgets": {
                  Row: {
                    "account_id": string,"amount": number,"anonymous_amount": number | null,"coach_id": string | null,"created_at": string,"id": string,"is_each_user": boolean,"key_lineage_id": string | null,"mode": string,"period": string,"soft_percent": number,"unit": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"amount": number,"anonymous_amount"?: number | null,"coach_id"?: string | null,"created_at"?: string,"id"?: string,"is_each_user"?: boolean,"key_lineage_id"?: string | null,"mode"?: string,"period": string,"soft_percent"?: number,"unit": string
                  }
                  Update: {
                    "account_id"?: string,"amount"?: number,"anonymous_amount"?: number | null,"coach_id"?: string | null,"created_at"?: string,"id"?: string,"is_each_user"?: boolean,"key_lineage_id"?: string | null,"mode"?: string,"period"?: string,"soft_percent"?: number,"unit"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "budgets_account_id_fkey"
      columns: ["account_id"]
isOneToOne: false
      referencedRelation: "accounts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "budgets_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                },"coach_experts": {
                  Row: {
                    "account_id": string,"added_by": string | null,"coach_id": string,"created_at": string,"name": string | null,"picture": string | null,"role": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"added_by"?: string | null,"coach_id": string,"created_at"?: string,"name"?: string | null,"picture"?: string | null,"role"?: string,"user_id": string
                  }
                  Update: {
                    "account_id"?: string,"added_by"?: string | null,"coach_id"?: string,"created_at"?: string,"name"?: string | null,"picture"?: string | null,"role"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "coach_experts_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                },"coach_profiles": {
                  Row: {
                    "accent_color": string | null,"account_id": string,"created_at": string,"deleted_at": string | null,"greeting": string | null,"history_limit": number,"id": string,"instructions": string,"is_active": boolean,"language": string,"launcher_text": string | null,"max_output_tokens": number | null,"model": string | null,"name": string,"no_answer": string | null,"owner_id": string | null,"picture": string | null,"reasoning_effort": string | null,"set_at": string | null,"slug": string | null,"slug_changes": number,"sources_are_open": boolean,"starters": (string)[],"store_responses": boolean | null,"takeover_minutes": number,"takeover_notice": string | null,"temperature": number | null,"title": string,"verbosity": string | null,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "accent_color"?: string | null,"account_id": string,"created_at"?: string,"deleted_at"?: string | null,"greeting"?: string | null,"history_limit"?: number,"id"?: string,"instructions": string,"is_active"?: boolean,"language"?: string,"launcher_text"?: string | null,"max_output_tokens"?: number | null,"model"?: string | null,"name": string,"no_answer"?: string | null,"owner_id"?: string | null,"picture"?: string | null,"reasoning_effort"?: string | null,"set_at"?: string | null,"slug"?: string | null,"slug_changes"?: number,"sources_are_open"?: boolean,"starters"?: (string)[],"store_responses"?: boolean | null,"takeover_minutes"?: number,"takeover_notice"?: string | null,"temperature"?: number | null,"title": string,"verbosity"?: string | null,"version"?: number
                  }
                  Update: {
                    "accent_color"?: string | null,"account_id"?: string,"created_at"?: string,"deleted_at"?: string | null,"greeting"?: string | null,"history_limit"?: number,"id"?: string,"instructions"?: string,"is_active"?: boolean,"language"?: string,"launcher_text"?: string | null,"max_output_tokens"?: number | null,"model"?: string | null,"name"?: string,"no_answer"?: string | null,"owner_id"?: string | null,"picture"?: string | null,"reasoning_effort"?: string | null,"set_at"?: string | null,"slug"?: string | null,"slug_changes"?: number,"sources_are_open"?: boolean,"starters"?: (string)[],"store_responses"?: boolean | null,"takeover_minutes"?: number,"takeover_notice"?: string | null,"temperature"?: number | null,"title"?: string,"verbosity"?: string | null,"version"?: number
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
                },"coach_versions": {
                  Row: {
                    "changes": (string)[],"coach_id": string,"content": NonNullable<Json>,"published_at": string,"published_by": string | null,"restored_from": number | null,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "changes": (string)[],"coach_id": string,"content": NonNullable<Json>,"published_at"?: string,"published_by"?: string | null,"restored_from"?: number | null,"version": number
                  }
                  Update: {
                    "changes"?: (string)[],"coach_id"?: string,"content"?: NonNullable<Json>,"published_at"?: string,"published_by"?: string | null,"restored_from"?: number | null,"version"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "coach_versions_coach_id_fkey"
      columns: ["coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"feedback": {
                  Row: {
                    "coach_id": string | null,"comment": string | null,"created_at": string,"message_id": string,"rating": string,"thread_id": string | null,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "coach_id"?: string | null,"comment"?: string | null,"created_at"?: string,"message_id": string,"rating": string,"thread_id"?: string | null,"updated_at"?: string
                  }
                  Update: {
                    "coach_id"?: string | null,"comment"?: string | null,"created_at"?: string,"message_id"?: string,"rating"?: string,"thread_id"?: string | null,"updated_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "feedback_coach_id_fkey"
      columns: ["coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "feedback_message_id_fkey"
      columns: ["message_id"]
isOneToOne: true
      referencedRelation: "messages"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "feedback_message_id_fkey"
      columns: ["message_id"]
isOneToOne: true
      referencedRelation: "rated_answers"
      referencedColumns: ["message_id"]
    }
                  ]
                },"knowledge_files": {
                  Row: {
                    "account_id": string,"attempts": number,"bookmark": Json | null,"category": string,"claim": string | null,"coach_id": string,"content_type": string,"digest": string | null,"due_at": string | null,"error": string | null,"fetched_at": string | null,"id": string,"name": string,"number": number,"replaces": string | null,"request_id": string | null,"size": number,"source_id": string | null,"source_url": string | null,"status": string,"storage_path": string | null,"updated_at": string,"uploaded_at": string,"valid_from": string | null,"valid_until": string | null,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"attempts"?: number,"bookmark"?: Json | null,"category": string,"claim"?: string | null,"coach_id": string,"content_type": string,"digest"?: string | null,"due_at"?: string | null,"error"?: string | null,"fetched_at"?: string | null,"id"?: string,"name": string,"number"?: number,"replaces"?: string | null,"request_id"?: string | null,"size": number,"source_id"?: string | null,"source_url"?: string | null,"status"?: string,"storage_path"?: string | null,"updated_at"?: string,"uploaded_at"?: string,"valid_from"?: string | null,"valid_until"?: string | null,"version"?: number
                  }
                  Update: {
                    "account_id"?: string,"attempts"?: number,"bookmark"?: Json | null,"category"?: string,"claim"?: string | null,"coach_id"?: string,"content_type"?: string,"digest"?: string | null,"due_at"?: string | null,"error"?: string | null,"fetched_at"?: string | null,"id"?: string,"name"?: string,"number"?: number,"replaces"?: string | null,"request_id"?: string | null,"size"?: number,"source_id"?: string | null,"source_url"?: string | null,"status"?: string,"storage_path"?: string | null,"updated_at"?: string,"uploaded_at"?: string,"valid_from"?: string | null,"valid_until"?: string | null,"version"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "knowledge_files_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    },{
      foreignKeyName: "knowledge_files_replaces_fkey"
      columns: ["replaces"]
isOneToOne: false
      referencedRelation: "knowledge_files"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "knowledge_files_source_id_fkey"
      columns: ["source_id"]
isOneToOne: false
      referencedRelation: "knowledge_sources"
      referencedColumns: ["id"]
    }
                  ]
                },"knowledge_sources": {
                  Row: {
                    "account_id": string,"attempts": number,"claim": string | null,"coach_id": string,"created_at": string,"due_at": string | null,"fetched_at": string | null,"follows_links": boolean,"host": string,"id": string,"kind": string,"next_refresh_at": string | null,"number": number,"page_limit": number,"reason": string | null,"refresh": string,"request_id": string | null,"round_started_at": string | null,"status": string,"suspicious_since": string | null,"taken_at": string | null,"url": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"attempts"?: number,"claim"?: string | null,"coach_id": string,"created_at"?: string,"due_at"?: string | null,"fetched_at"?: string | null,"follows_links"?: boolean,"host"?: never,"id"?: string,"kind": string,"next_refresh_at"?: string | null,"number"?: never,"page_limit"?: number,"reason"?: string | null,"refresh": string,"request_id"?: string | null,"round_started_at"?: string | null,"status"?: string,"suspicious_since"?: string | null,"taken_at"?: string | null,"url": string
                  }
                  Update: {
                    "account_id"?: string,"attempts"?: number,"claim"?: string | null,"coach_id"?: string,"created_at"?: string,"due_at"?: string | null,"fetched_at"?: string | null,"follows_links"?: boolean,"host"?: never,"id"?: string,"kind"?: string,"next_refresh_at"?: string | null,"number"?: never,"page_limit"?: number,"reason"?: string | null,"refresh"?: string,"request_id"?: string | null,"round_started_at"?: string | null,"status"?: string,"suspicious_since"?: string | null,"taken_at"?: string | null,"url"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "knowledge_sources_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                },"messages": {
                  Row: {
                    "api_key_id": string | null,"cached_tokens": number,"coach_version": number | null,"content": string,"corrects": string | null,"created_at": string,"error": string | null,"error_code": string | null,"expert_id": string | null,"id": string,"in_reply_to": string | null,"input_tokens": number | null,"is_by_expert": boolean,"is_estimated": boolean,"is_listed": boolean,"is_unread": boolean,"mode": string | null,"model": string | null,"other_response_ids": (string)[] | null,"output_tokens": number | null,"phase": string | null,"previous": Json | null,"reasoning_tokens": number,"request_id": string | null,"response_id": string | null,"revised_at": string | null,"revision_id": string | null,"role": string,"run_id": string | null,"sequence": number,"sources": Json | null,"status": string,"stop_requested_at": string | null,"thread_id": string,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "api_key_id"?: string | null,"cached_tokens"?: number,"coach_version"?: number | null,"content"?: string,"corrects"?: string | null,"created_at"?: string,"error"?: string | null,"error_code"?: string | null,"expert_id"?: string | null,"id"?: string,"in_reply_to"?: string | null,"input_tokens"?: number | null,"is_by_expert"?: boolean,"is_estimated"?: boolean,"is_listed"?: never,"is_unread"?: boolean,"mode"?: string | null,"model"?: string | null,"other_response_ids"?: (string)[] | null,"output_tokens"?: number | null,"phase"?: string | null,"previous"?: Json | null,"reasoning_tokens"?: number,"request_id"?: string | null,"response_id"?: string | null,"revised_at"?: string | null,"revision_id"?: string | null,"role": string,"run_id"?: string | null,"sequence"?: never,"sources"?: Json | null,"status"?: string,"stop_requested_at"?: string | null,"thread_id": string,"updated_at"?: string
                  }
                  Update: {
                    "api_key_id"?: string | null,"cached_tokens"?: number,"coach_version"?: number | null,"content"?: string,"corrects"?: string | null,"created_at"?: string,"error"?: string | null,"error_code"?: string | null,"expert_id"?: string | null,"id"?: string,"in_reply_to"?: string | null,"input_tokens"?: number | null,"is_by_expert"?: boolean,"is_estimated"?: boolean,"is_listed"?: never,"is_unread"?: boolean,"mode"?: string | null,"model"?: string | null,"other_response_ids"?: (string)[] | null,"output_tokens"?: number | null,"phase"?: string | null,"previous"?: Json | null,"reasoning_tokens"?: number,"request_id"?: string | null,"response_id"?: string | null,"revised_at"?: string | null,"revision_id"?: string | null,"role"?: string,"run_id"?: string | null,"sequence"?: never,"sources"?: Json | null,"status"?: string,"stop_requested_at"?: string | null,"thread_id"?: string,"updated_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "messages_thread_id_fkey"
      columns: ["thread_id"]
isOneToOne: false
      referencedRelation: "rated_answers"
      referencedColumns: ["thread_id"]
    },{
      foreignKeyName: "messages_thread_id_fkey"
      columns: ["thread_id"]
isOneToOne: false
      referencedRelation: "threads"
      referencedColumns: ["id"]
    }
                  ]
                },"model_checks": {
                  Row: {
                    "checked_at": string | null,"due_at": string,"failed_at": string | null,"failure": string | null,"is_only": boolean,"warnings": NonNullable<Json>
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_at"?: string | null,"due_at"?: string,"failed_at"?: string | null,"failure"?: string | null,"is_only"?: boolean,"warnings"?: NonNullable<Json>
                  }
                  Update: {
                    "checked_at"?: string | null,"due_at"?: string,"failed_at"?: string | null,"failure"?: string | null,"is_only"?: boolean,"warnings"?: NonNullable<Json>
                  }
                  Relationships: [
                    
                  ]
                },"model_prices": {
                  Row: {
                    "cached_price": number | null,"input_price": number,"is_by_hand": boolean,"is_free": boolean,"model": string,"output_price": number | null,"reasoning_price": number | null,"source": string | null,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "cached_price"?: number | null,"input_price": number,"is_by_hand"?: boolean,"is_free"?: boolean,"model": string,"output_price"?: number | null,"reasoning_price"?: number | null,"source"?: string | null,"updated_at"?: string
                  }
                  Update: {
                    "cached_price"?: number | null,"input_price"?: number,"is_by_hand"?: boolean,"is_free"?: boolean,"model"?: string,"output_price"?: number | null,"reasoning_price"?: number | null,"source"?: string | null,"updated_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"open_questions": {
                  Row: {
                    "account_id": string,"attempts": number,"claim": string | null,"coach_id": string,"created_at": string,"decided_at": string | null,"dismissed_people": number,"due_at": string | null,"first_asked_at": string,"id": string,"is_requested": boolean,"last_asked_at": string,"people": number,"pinned_answer_id": string | null,"question": string | null,"status": string,"times": number
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"attempts"?: number,"claim"?: string | null,"coach_id": string,"created_at"?: string,"decided_at"?: string | null,"dismissed_people"?: number,"due_at"?: string | null,"first_asked_at"?: string,"id"?: string,"is_requested"?: boolean,"last_asked_at"?: string,"people"?: number,"pinned_answer_id"?: string | null,"question"?: string | null,"status"?: string,"times"?: number
                  }
                  Update: {
                    "account_id"?: string,"attempts"?: number,"claim"?: string | null,"coach_id"?: string,"created_at"?: string,"decided_at"?: string | null,"dismissed_people"?: number,"due_at"?: string | null,"first_asked_at"?: string,"id"?: string,"is_requested"?: boolean,"last_asked_at"?: string,"people"?: number,"pinned_answer_id"?: string | null,"question"?: string | null,"status"?: string,"times"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "open_questions_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    },{
      foreignKeyName: "open_questions_pinned_answer_id_fkey"
      columns: ["pinned_answer_id"]
isOneToOne: false
      referencedRelation: "pinned_answers"
      referencedColumns: ["id"]
    }
                  ]
                },"passages": {
                  Row: {
                    "coach_id": string,"content": string,"file_id": string,"frequencies": (number)[],"heading": string | null,"id": number,"is_recognized": boolean,"length": number,"page": number | null,"position": number,"terms": (number)[],"written_terms": number
                  }
                  ComputedFields: never
                  Insert: {
                    "coach_id": string,"content": string,"file_id": string,"frequencies": (number)[],"heading"?: string | null,"id"?: never,"is_recognized"?: boolean,"length": number,"page"?: number | null,"position": number,"terms": (number)[],"written_terms": number
                  }
                  Update: {
                    "coach_id"?: string,"content"?: string,"file_id"?: string,"frequencies"?: (number)[],"heading"?: string | null,"id"?: never,"is_recognized"?: boolean,"length"?: number,"page"?: number | null,"position"?: number,"terms"?: (number)[],"written_terms"?: number
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
                },"pinned_answers": {
                  Row: {
                    "account_id": string,"answer": string,"coach_id": string,"created_at": string,"id": string,"is_active": boolean,"question": string,"updated_at": string,"variants": (string)[],"version": number,"writer": string | null,"written_by": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"answer": string,"coach_id": string,"created_at"?: string,"id"?: string,"is_active"?: boolean,"question": string,"updated_at"?: string,"variants"?: (string)[],"version"?: number,"writer"?: string | null,"written_by"?: string | null
                  }
                  Update: {
                    "account_id"?: string,"answer"?: string,"coach_id"?: string,"created_at"?: string,"id"?: string,"is_active"?: boolean,"question"?: string,"updated_at"?: string,"variants"?: (string)[],"version"?: number,"writer"?: string | null,"written_by"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "pinned_answers_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                },"source_pages": {
                  Row: {
                    "attempts": number,"checked_at": string | null,"claim": string | null,"due_at": string | null,"etag": string | null,"file_id": string | null,"host": string,"is_barred": boolean,"is_listed": boolean,"last_modified": string | null,"missing_since": string | null,"number": number,"reason": string | null,"source_id": string,"state": string,"url": string
                  }
                  ComputedFields: never
                  Insert: {
                    "attempts"?: number,"checked_at"?: string | null,"claim"?: string | null,"due_at"?: string | null,"etag"?: string | null,"file_id"?: string | null,"host"?: never,"is_barred"?: boolean,"is_listed"?: boolean,"last_modified"?: string | null,"missing_since"?: string | null,"number"?: never,"reason"?: string | null,"source_id": string,"state"?: string,"url": string
                  }
                  Update: {
                    "attempts"?: number,"checked_at"?: string | null,"claim"?: string | null,"due_at"?: string | null,"etag"?: string | null,"file_id"?: string | null,"host"?: never,"is_barred"?: boolean,"is_listed"?: boolean,"last_modified"?: string | null,"missing_since"?: string | null,"number"?: never,"reason"?: string | null,"source_id"?: string,"state"?: string,"url"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "source_pages_file_id_fkey"
      columns: ["file_id"]
isOneToOne: false
      referencedRelation: "knowledge_files"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "source_pages_source_id_fkey"
      columns: ["source_id"]
isOneToOne: false
      referencedRelation: "knowledge_sources"
      referencedColumns: ["id"]
    }
                  ]
                },"test_cases": {
                  Row: {
                    "account_id": string,"coach_id": string,"created_at": string,"expect": NonNullable<Json>,"history": NonNullable<Json>,"id": string,"number": number,"question": string,"reference": string | null,"thread_id": string | null,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"coach_id": string,"created_at"?: string,"expect"?: NonNullable<Json>,"history"?: NonNullable<Json>,"id"?: string,"number"?: never,"question": string,"reference"?: string | null,"thread_id"?: string | null,"updated_at"?: string
                  }
                  Update: {
                    "account_id"?: string,"coach_id"?: string,"created_at"?: string,"expect"?: NonNullable<Json>,"history"?: NonNullable<Json>,"id"?: string,"number"?: never,"question"?: string,"reference"?: string | null,"thread_id"?: string | null,"updated_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "test_cases_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    },{
      foreignKeyName: "test_cases_thread_id_fkey"
      columns: ["thread_id"]
isOneToOne: false
      referencedRelation: "rated_answers"
      referencedColumns: ["thread_id"]
    },{
      foreignKeyName: "test_cases_thread_id_fkey"
      columns: ["thread_id"]
isOneToOne: false
      referencedRelation: "threads"
      referencedColumns: ["id"]
    }
                  ]
                },"threads": {
                  Row: {
                    "account_id": string,"coach_id": string,"created_at": string,"has_down": boolean,"id": string,"is_archived": boolean,"is_closed": boolean,"is_pinned": boolean,"is_standalone": boolean,"is_waiting": boolean,"needs_reply_at": string | null,"put_off_until": string | null,"searchable_until": string,"settled_count": number,"settled_until": string,"taken_over_by": string | null,"taken_over_until": string | null,"title": string,"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "account_id": string,"coach_id": string,"created_at"?: string,"has_down"?: boolean,"id"?: string,"is_archived"?: boolean,"is_closed"?: boolean,"is_pinned"?: boolean,"is_standalone"?: boolean,"is_waiting"?: boolean,"needs_reply_at"?: string | null,"put_off_until"?: string | null,"searchable_until"?: string,"settled_count"?: number,"settled_until"?: string,"taken_over_by"?: string | null,"taken_over_until"?: string | null,"title"?: string,"updated_at"?: string,"user_id": string
                  }
                  Update: {
                    "account_id"?: string,"coach_id"?: string,"created_at"?: string,"has_down"?: boolean,"id"?: string,"is_archived"?: boolean,"is_closed"?: boolean,"is_pinned"?: boolean,"is_standalone"?: boolean,"is_waiting"?: boolean,"needs_reply_at"?: string | null,"put_off_until"?: string | null,"searchable_until"?: string,"settled_count"?: number,"settled_until"?: string,"taken_over_by"?: string | null,"taken_over_until"?: string | null,"title"?: string,"updated_at"?: string,"user_id"?: string
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
            "knowledge_health": {
                  Row: {
                    "account_id": string | null,"account_name": string | null,"attempts": number | null,"category": string | null,"coach_id": string | null,"coach_name": string | null,"due_at": string | null,"file_id": string | null,"filename": string | null,"problem": string | null,"reason": string | null,"request_id": string | null,"size": number | null,"updated_at": string | null,"uploaded_at": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    
                  ]
                },"rated_answers": {
                  Row: {
                    "account_id": string,"account_name": string,"answer": string,"coach_id": string,"coach_name": string,"comment": string | null,"message_id": string,"question": string | null,"rated_at": string,"rating": string,"thread_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Relationships: [
                    {
      foreignKeyName: "threads_coach_is_of_the_account"
      columns: ["account_id","coach_id"]
isOneToOne: false
      referencedRelation: "coach_profiles"
      referencedColumns: ["account_id","id"]
    }
                  ]
                },"recent_errors": {
                  Row: {
                    "account_id": string | null,"account_name": string | null,"coach_id": string | null,"coach_name": string | null,"error": string | null,"error_code": string | null,"file_id": string | null,"kind": string | null,"message_id": string | null,"occurred_at": string | null,"request_id": string | null,"thread_id": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    
                  ]
                },"usage_daily": {
                  Row: {
                    "account_id": string | null,"account_name": string,"api_key_id": string | null,"api_key_name": string | null,"api_key_prefix": string | null,"cached_tokens": number | null,"coach_id": string | null,"coach_name": string | null,"cost_micro_usd": number | null,"day": string | null,"estimated_turns": number | null,"input_tokens": number | null,"output_tokens": number | null,"reasoning_tokens": number | null,"refusals": number | null,"requests": number | null,"turns": number | null,"unpriced_turns": number | null
                  }
                  ComputedFields: never
                  Relationships: [
                    
                  ]
                }
          }
          Functions: {
            "accept_invitation":
{ Args: { "caller": Json,"digest": string,"instructions"?: string,"language"?: string,"name"?: string,"title"?: string,"user_id": string }; Returns: Json
                           },
"admit_request":
{ Args: { "caller": Json }; Returns: Json
                           },
"allow_address":
{ Args: { "account_id": string,"address": string }; Returns: boolean
                           },
"answer_question":
{ Args: { "answer": string,"askings"?: (string)[],"caller": Json,"coach_id": string,"notify"?: boolean,"question"?: Json,"question_id": string,"request_id"?: string,"user_id": string,"variants"?: Json }; Returns: Json
                           },
"are_starters":
{ Args: { "starters": (string)[] }; Returns: boolean
                           },
"are_test_texts":
{ Args: { "texts": Json }; Returns: boolean
                           },
"are_variants":
{ Args: { "variants": (string)[] }; Returns: boolean
                           },
"ask_expert":
{ Args: { "asked": Json,"caller": Json,"user_id": string }; Returns: Json
                           },
"begin_page":
{ Args: { "claim": string,"digest": string,"name": string,"source_id": string,"url": string }; Returns: Json
                           },
"begin_picture":
{ Args: { "caller": Json,"coach_id": string,"digest": string,"extension": string,"is_own"?: boolean,"user_id": string }; Returns: Json
                           },
"begin_turn":
{ Args: { "caller": Json,"turn": Json,"user_id": string }; Returns: Json
                           },
"begin_turns":
{ Args: { "calls": Json }; Returns: Json
                           },
"begin_upload":
{ Args: { "caller": Json,"coach_id": string,"file_id"?: string,"user_id": string }; Returns: Json
                           },
"choose_test_sources":
{ Args: { "coach": string,"content": string,"sources": Json }; Returns: Json
                           },
"compare_pinned_answers":
{ Args: { "caller": Json,"coach_id": string,"keys": Json,"language": string,"user_id": string }; Returns: Json
                           },
"confirm_mail":
{ Args: { "subscription_id": string }; Returns: boolean
                           },
"count_refusal":
{ Args: { "api_key_id": string }; Returns: undefined
                           },
"create_account":
{ Args: { "name": string }; Returns: Json
                           },
"create_coach":
{ Args: { "account_id": string,"greeting"?: string,"history_limit"?: number,"id"?: string,"instructions": string,"language"?: string,"max_output_tokens"?: number,"model"?: string,"name": string,"no_answer"?: string,"owner_id"?: string,"reasoning_effort"?: string,"sources_are_open"?: boolean,"starters"?: (string)[],"store_responses"?: boolean,"takeover_minutes"?: number,"takeover_notice"?: string,"temperature"?: number,"title": string,"verbosity"?: string }; Returns: Json
                           },
"create_invitation":
{ Args: { "caller": Json,"coach_id": string,"email"?: string,"role": string,"user_id": string }; Returns: Json
                           },
"create_pinned_answer":
{ Args: { "answer": string,"caller": Json,"coach_id": string,"is_active": boolean,"questions": Json,"user_id": string }; Returns: Json
                           },
"create_text":
{ Args: { "caller": Json,"coach_id": string,"content": string,"request_id": string,"sent": Json,"title": string,"upload_id": string,"user_id": string }; Returns: Json
                           },
"decide_question":
{ Args: { "caller": Json,"coach_id": string,"question_id": string,"status": string,"user_id": string }; Returns: Json
                           },
"delete_coach":
{ Args: { "caller": Json,"coach_id": string,"confirm": string,"user_id": string }; Returns: Json
                           },
"delete_invitation":
{ Args: { "caller": Json,"coach_id": string,"invitation_id": string,"user_id": string }; Returns: Json
                           },
"delete_knowledge_file":
{ Args: { "caller": Json,"coach_id": string,"file_id": string,"user_id": string }; Returns: Json
                           },
"delete_pinned_answer":
{ Args: { "answer_id": string,"caller": Json,"coach_id": string,"user_id": string }; Returns: Json
                           },
"delete_thread":
{ Args: { "caller": Json,"thread_id": string,"user_id"?: string }; Returns: Json
                           },
"delete_turn":
{ Args: { "caller": Json,"message_id": string,"run_id"?: string,"user_id": string }; Returns: Json
                           },
"dismiss_questions":
{ Args: { "caller": Json,"coach_id": string,"of_person": boolean,"thread_id": string,"user_id": string }; Returns: Json
                           },
"draft_reply":
{ Args: { "asked"?: Json,"caller": Json,"in_reply_to"?: string,"query_vector"?: string,"thread_id": string,"user_id": string }; Returns: Json
                           },
"end_object_removals":
{ Args: { "paths": (string)[] }; Returns: undefined
                           },
"end_question":
{ Args: { "claim": string,"question_id": string,"same_id": string }; Returns: undefined
                           },
"end_response_removals":
{ Args: { "response_ids": (string)[] }; Returns: undefined
                           },
"end_test":
{ Args: { "claim": string,"coach_id": string,"gives_back"?: boolean,"put_off_seconds"?: number,"reason"?: string,"result": Json,"usage": Json,"waits_for_budget"?: boolean }; Returns: boolean
                           },
"end_upload":
{ Args: { "caller": Json,"coach_id": string,"files": Json,"fingerprint"?: string,"idempotency_key"?: string,"objects": number,"replaces"?: boolean,"request_id": string,"upload_id": string,"user_id": string }; Returns: Json
                           },
"erase_self":
{ Args: { "caller": Json,"user_id": string }; Returns: Json
                           },
"erase_untouched_threads":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"erase_user":
{ Args: { "account_id": string,"user_id": string }; Returns: Json
                           },
"export_user":
{ Args: { "account_id": string,"user_id": string }; Returns: Json
                           },
"extend_reservation":
{ Args: { "plan": Json,"run_id": string }; Returns: Json
                           },
"find_api_key":
{ Args: { "is_for_mcp"?: boolean,"is_same_origin"?: boolean,"key_digest": string,"origin"?: string }; Returns: Json
                           },
"find_coach_id":
{ Args: { "name": string }; Returns: string
                           },
"find_lexemes":
{ Args: { "coach_id": string,"words": (string)[] }; Returns: Json
                           },
"find_near_questions":
{ Args: { "claim": string,"query_vector": string,"question_id": string }; Returns: Json
                           },
"find_original":
{ Args: { "file_id": string }; Returns: Json
                           },
"find_token_issuers":
{ Args: { "key_digest": string }; Returns: Json
                           },
"finish_mails":
{ Args: { "outcomes": Json }; Returns: Json
                           },
"finish_webhook_messages":
{ Args: { "outcomes": Json }; Returns: Json
                           },
"get_coach":
{ Args: { "caller": Json,"coach_id": string,"pictures_url"?: string,"tells_by_mail"?: boolean }; Returns: Json
                           },
"get_draft":
{ Args: { "caller": Json,"coach_id": string,"pictures_url": string,"user_id": string }; Returns: Json
                           },
"get_knowledge_file":
{ Args: { "caller": Json,"coach_id": string,"file_id": string,"is_outlined": boolean }; Returns: Json
                           },
"get_passage":
{ Args: { "after": number,"before": number,"caller": Json,"coach_id": string,"file_id": string,"passage_id": string }; Returns: Json
                           },
"get_pinned_answer":
{ Args: { "answer_id": string,"caller": Json,"coach_id": string,"user_id": string }; Returns: Json
                           },
"get_source":
{ Args: { "caller": Json,"coach_id": string,"source_id": string }; Returns: Json
                           },
"get_standing":
{ Args: { "caller": Json,"user_id": string }; Returns: Json
                           },
"get_test_run":
{ Args: { "caller": Json,"coach_id": string,"run_id": string,"stops": boolean,"user_id": string }; Returns: Json
                           },
"get_text":
{ Args: { "caller": Json,"coach_id": string,"file_id": string }; Returns: Json
                           },
"get_version":
{ Args: { "caller": Json,"coach_id": string,"pictures_url": string,"user_id": string,"version": number }; Returns: Json
                           },
"hurry_mails":
{ Args: { "coach_id": string }; Returns: undefined
                           },
"import_pinned_answers":
{ Args: { "caller": Json,"coach_id": string,"rows": Json,"user_id": string }; Returns: Json
                           },
"import_tests":
{ Args: { "coach": string,"tests": Json }; Returns: Json
                           },
"index_threads":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"invite_expert":
{ Args: { "account_id": string,"coach"?: string,"email"?: string,"role"?: string }; Returns: Json
                           },
"is_language":
{ Args: { "language": string }; Returns: boolean
                           },
"is_test_expectation":
{ Args: { "expect": Json }; Returns: boolean
                           },
"is_test_history":
{ Args: { "history": Json }; Returns: boolean
                           },
"issue_api_key":
{ Args: { "account_id": string,"coach_ids"?: (string)[],"expires_at"?: string,"name": string,"options"?: (string)[],"requests_per_day"?: number,"requests_per_hour"?: number,"requests_per_minute"?: number,"scopes"?: (string)[] }; Returns: Json
                           },
"issue_publishable_key":
{ Args: { "account_id": string,"allows_mcp"?: boolean,"allows_no_origin"?: boolean,"anonymous_per_day"?: number,"anonymous_per_hour"?: number,"anonymous_per_minute"?: number,"anonymous_total_per_day"?: number,"anonymous_total_per_hour"?: number,"anonymous_total_per_minute"?: number,"coach_ids"?: (string)[],"expires_at"?: string,"name": string,"origins": (string)[],"requests_per_day"?: number,"requests_per_hour"?: number,"requests_per_minute"?: number,"scopes"?: (string)[],"total_per_day"?: number,"total_per_hour"?: number,"total_per_minute"?: number }; Returns: Json
                           },
"keep_question":
{ Args: { "is_for_human": boolean,"message_id": string,"question": Json,"run_id": string }; Returns: string
                           },
"keep_tests":
{ Args: { "claims": (string)[] }; Returns: Json
                           },
"known_scopes":
{ Args: Record<PropertyKey, never>; Returns: (string)[]
                           },
"list_account_acts":
{ Args: { "account_id": string,"before"?: number,"most"?: number }; Returns: Json
                           },
"list_acts":
{ Args: { "after_number"?: number,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"list_api_keys":
{ Args: Record<PropertyKey, never>; Returns: {
              "account_id": string,"allows_mcp": boolean,"allows_no_origin": boolean,"anonymous_per_day": number,"anonymous_per_hour": number,"anonymous_per_minute": number,"anonymous_total_per_day": number,"anonymous_total_per_hour": number,"anonymous_total_per_minute": number,"coach_ids": (string)[],"created_at": string,"expires_at": string,"id": string,"is_publishable": boolean,"last_used_at": string,"name": string,"options": (string)[],"origins": (string)[],"prefix": string,"replaced_by": string,"requests_per_day": number,"requests_per_hour": number,"requests_per_minute": number,"revoked_at": string,"scopes": (string)[],"status": string,"total_per_day": number,"total_per_hour": number,"total_per_minute": number
            }[]
                           },
"list_barred_passages":
{ Args: { "after_at"?: number,"after_id"?: string,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"list_budgets":
{ Args: { "account"?: string,"budget"?: string }; Returns: Json
                           },
"list_coaches":
{ Args: { "after_id"?: string,"after_name"?: string,"caller": Json,"page_size"?: number,"pictures_url"?: string }; Returns: Json
                           },
"list_contradictions":
{ Args: { "after_number"?: number,"caller": Json,"coach_id": string,"page_size"?: number }; Returns: Json
                           },
"list_conversations":
{ Args: { "caller": Json,"filter": Json,"user_id"?: string }; Returns: Json
                           },
"list_experts":
{ Args: { "after_at"?: number,"after_id"?: string,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"list_file_changes":
{ Args: { "caller": Json,"coach_id": string,"file_id": string }; Returns: Json
                           },
"list_file_quotes":
{ Args: { "caller": Json,"coach_id": string,"file_id": string,"user_id": string }; Returns: Json
                           },
"list_invitations":
{ Args: { "after_at"?: number,"after_id"?: string,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"list_messages":
{ Args: { "after_at"?: number,"after_sequence"?: number,"caller": Json,"include"?: (string)[],"is_newest_first"?: boolean,"page_size"?: number,"pictures_url"?: string,"skip_abandoned"?: boolean,"thread_id": string,"user_id"?: string }; Returns: Json
                           },
"list_models":
{ Args: { "caller": Json,"model_id"?: string }; Returns: Json
                           },
"list_own_coaches":
{ Args: { "after_id"?: string,"after_name"?: string,"caller": Json,"page_size"?: number,"pictures_url"?: string,"user_id": string }; Returns: Json
                           },
"list_pinned_answers":
{ Args: { "after_at"?: number,"after_id"?: string,"caller": Json,"coach_id": string,"is_active"?: boolean,"page_size"?: number,"search"?: string,"user_id": string }; Returns: Json
                           },
"list_questions":
{ Args: { "after_asked"?: number,"after_id"?: string,"after_people"?: number,"after_requested"?: boolean,"caller": Json,"coach_id": string,"has_askings"?: boolean,"off_topic"?: boolean,"page_size"?: number,"status"?: string,"topic_id"?: string,"user_id"?: string }; Returns: Json
                           },
"list_replies":
{ Args: { "after_at"?: number,"after_id"?: string,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"list_requests":
{ Args: { "caller": Json,"thread_id": string,"user_id": string }; Returns: Json
                           },
"list_sources":
{ Args: { "after_number"?: number,"caller": Json,"coach_id": string,"page_size"?: number }; Returns: Json
                           },
"list_test_runs":
{ Args: { "after_number"?: number,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"list_tests":
{ Args: { "after_number"?: number,"caller": Json,"coach_id": string,"page_size"?: number,"search"?: string,"user_id": string }; Returns: Json
                           },
"list_threads":
{ Args: { "after_at"?: number,"after_id"?: string,"caller": Json,"coach_id"?: string,"company"?: string,"has_state"?: boolean,"is_archived"?: boolean,"is_standalone"?: boolean,"page_size"?: number,"pictures_url"?: string,"user_id": string }; Returns: Json
                           },
"list_token_issuers":
{ Args: Record<PropertyKey, never>; Returns: {
              "account_id": string,"audience": string,"created_at": string,"id": string,"issuer": string,"jwks_url": string,"name": string,"updated_at": string
            }[]
                           },
"list_topic_threads":
{ Args: { "after_at"?: number,"after_id"?: string,"before_time": string,"caller": Json,"coach_id": string,"from_time": string,"page_size": number,"topic_id": string,"user_id": string }; Returns: Json
                           },
"list_versions":
{ Args: { "after_number"?: number,"caller": Json,"coach_id": string,"page_size"?: number,"user_id": string }; Returns: Json
                           },
"make_own_coach":
{ Args: { "caller": Json,"instructions": string,"language": string,"name": string,"pictures_url": string,"user_id": string }; Returns: Json
                           },
"mark_read":
{ Args: { "caller": Json,"thread_id": string,"user_id"?: string }; Returns: Json
                           },
"note_mail_token":
{ Args: { "claim": string,"digest": string,"mail_id": string }; Returns: boolean
                           },
"postpone_comparison":
{ Args: { "claim": string,"file_id": string,"waits_for_budget"?: boolean }; Returns: undefined
                           },
"postpone_indexing":
{ Args: { "claim": string,"file_id": string,"reason": string,"takes_next": boolean,"waits_for_budget"?: boolean }; Returns: Json
                           },
"postpone_question":
{ Args: { "claim": string,"question_id": string,"waits_for_budget"?: boolean }; Returns: undefined
                           },
"preview_invitation":
{ Args: { "caller": Json,"digest": string,"user_id": string }; Returns: Json
                           },
"publish_draft":
{ Args: { "caller": Json,"coach_id": string,"if_revision"?: number,"if_version": number,"pictures_url": string,"user_id": string }; Returns: Json
                           },
"publishable_scopes":
{ Args: Record<PropertyKey, never>; Returns: (string)[]
                           },
"rate_answer":
{ Args: { "caller": Json,"comment": string,"message_id": string,"rating": string,"thread_id": string,"user_id": string }; Returns: Json
                           },
"read_answer":
{ Args: { "after": number,"caller": Json,"message_id": string,"user_id": string }; Returns: Json
                           },
"read_answers":
{ Args: { "asked": Json }; Returns: Json
                           },
"read_budgets":
{ Args: { "caller": Json,"coach_id"?: string,"is_signed_in": boolean,"user_id": string }; Returns: Json
                           },
"read_coach_usage":
{ Args: { "caller": Json,"coach_id": string,"from_day": string,"midnights": (string)[],"user_id"?: string }; Returns: Json
                           },
"read_events":
{ Args: { "readers": Json,"since": number }; Returns: Json
                           },
"read_mailed_answer":
{ Args: { "digest": string,"pictures_url": string }; Returns: Json
                           },
"read_overview":
{ Args: { "caller": Json,"coach_id": string,"from_day": string,"since"?: string,"user_id": string,"weeks": (string)[] }; Returns: Json
                           },
"read_status":
{ Args: { "has_details"?: boolean }; Returns: Json
                           },
"read_test_run":
{ Args: { "run": string,"stops"?: boolean }; Returns: Json
                           },
"read_thread":
{ Args: { "caller": Json,"thread_id": string,"user_id"?: string }; Returns: Json
                           },
"read_topics":
{ Args: { "before_time": string,"caller": Json,"coach_id": string,"from_time": string,"user_id": string }; Returns: Json
                           },
"read_usage":
{ Args: { "account"?: string,"api_key"?: string,"coach"?: string,"from_day"?: string,"grouped_by"?: (string)[],"to_day"?: string }; Returns: {
              "account_id": string,"account_name": string,"api_key_id": string,"api_key_name": string,"cached_tokens": number,"coach_id": string,"coach_name": string,"cost_micro_usd": number,"day": string,"estimated_turns": number,"input_tokens": number,"output_tokens": number,"reasoning_tokens": number,"refusals": number,"requests": number,"turns": number,"unpriced_turns": number
            }[]
                           },
"read_usage_of_answers":
{ Args: { "account": string,"api_key"?: string,"coach"?: string,"from_day": string,"grouped_by"?: (string)[],"to_day": string }; Returns: {
              "api_key_id": string,"api_key_name": string,"cached_tokens": number,"coach_id": string,"coach_name": string,"day": string,"email": string,"input_tokens": number,"model": string,"output_tokens": number,"reasoning_tokens": number,"turns": number,"uncounted_turns": number,"user_id": string
            }[]
                           },
"read_webhook":
{ Args: { "account_id": string }; Returns: Json
                           },
"reindex_coach":
{ Args: { "coach_id": string }; Returns: Json
                           },
"reindex_file":
{ Args: { "file_id": string }; Returns: Json
                           },
"release_thread":
{ Args: { "caller": Json,"thread_id": string,"user_id": string }; Returns: Json
                           },
"remove_budget":
{ Args: { "budget": string }; Returns: Json
                           },
"remove_token_issuer":
{ Args: { "account_id": string,"name": string }; Returns: Json
                           },
"remove_webhook":
{ Args: { "account_id": string }; Returns: Json
                           },
"replace_file":
{ Args: { "caller": Json,"coach_id": string,"file_id": string,"request_id": string,"sent": Json,"upload_id": string,"user_id": string }; Returns: Json
                           },
"reserve_call":
{ Args: { "caller": Json,"coach_id": string,"message_id": string,"plan": Json,"run_id": string,"thread_id": string,"user_id": string }; Returns: Json
                           },
"reserve_work":
{ Args: { "coach_id": string,"plan": Json,"run_id": string }; Returns: Json
                           },
"restore_coach":
{ Args: { "coach": string,"version": number }; Returns: Json
                           },
"restore_version":
{ Args: { "caller": Json,"coach_id": string,"if_version"?: number,"pictures_url": string,"user_id": string,"version": number }; Returns: Json
                           },
"revise_answer":
{ Args: { "caller": Json,"revision": Json,"user_id": string }; Returns: Json
                           },
"revoke_api_key":
{ Args: { "id": string }; Returns: Json
                           },
"rotate_api_key":
{ Args: { "id": string,"overlap_hours"?: number }; Returns: Json
                           },
"run_tests":
{ Args: { "coach": string,"is_draft"?: boolean,"judge"?: boolean,"tests"?: (string)[] }; Returns: Json
                           },
"save_comparison":
{ Args: { "asked": number,"claim": string,"file_id": string,"next": number,"notes": Json,"takes_next": boolean }; Returns: Json
                           },
"save_draft":
{ Args: { "caller": Json,"coach_id": string,"fields": Json,"if_revision"?: number,"if_version"?: number,"pictures_url": string,"user_id": string }; Returns: Json
                           },
"save_expert_face":
{ Args: { "caller": Json,"changes"?: Json,"coach_id": string,"pictures_url": string,"user_id": string }; Returns: Json
                           },
"save_indexing":
{ Args: { "bookmark": Json,"claim": string,"file_id": string,"from_position": number,"passages": Json,"reason": string,"status": string,"takes_next": boolean }; Returns: Json
                           },
"save_mail_settings":
{ Args: { "caller": Json,"coach_id": string,"settings"?: Json,"user_id": string }; Returns: Json
                           },
"save_model_check":
{ Args: { "failure"?: string,"warnings": Json }; Returns: undefined
                           },
"save_page":
{ Args: { "claim": string,"outcome": Json,"pause_ms": number,"source_id": string,"url": string }; Returns: boolean
                           },
"save_phrases":
{ Args: { "phrases": Json,"takes_next": boolean }; Returns: Json
                           },
"save_reply":
{ Args: { "caller": Json,"coach_id": string,"fields"?: Json,"reply_id": string,"user_id": string }; Returns: Json
                           },
"save_settings":
{ Args: { "caller": Json,"changes"?: Json,"coach_id": string,"user_id": string }; Returns: Json
                           },
"save_source":
{ Args: { "caller": Json,"coach_id": string,"fields"?: Json,"source_id": string,"user_id": string }; Returns: Json
                           },
"save_source_list":
{ Args: { "claim": string,"follows_links": boolean,"is_temporary": boolean,"is_whole": boolean,"pause_ms": number,"reason": string,"source_id": string,"urls": (string)[] }; Returns: boolean
                           },
"save_test":
{ Args: { "caller": Json,"coach_id": string,"fields"?: Json,"test_id": string,"user_id": string }; Returns: Json
                           },
"save_text":
{ Args: { "caller": Json,"coach_id": string,"content": string,"file_id": string,"if_version": number,"request_id": string,"sent": Json,"title": string,"upload_id": string,"user_id": string }; Returns: Json
                           },
"save_topics":
{ Args: { "claim": string,"coach_id": string,"result": Json }; Returns: boolean
                           },
"save_turns":
{ Args: { "turns": Json }; Returns: Json
                           },
"save_user_mail":
{ Args: { "caller": Json,"changes"?: Json,"user_id": string }; Returns: Json
                           },
"say_as_expert":
{ Args: { "caller": Json,"content": string,"fingerprint"?: string,"idempotency_key"?: string,"in_reply_to"?: string,"request_id": string,"thread_id": string,"user_id": string }; Returns: Json
                           },
"search_knowledge":
{ Args: { "caller": Json,"category"?: string,"coach_id": string,"page"?: number,"page_size"?: number,"query_vector"?: string,"search"?: string,"with_quotes"?: boolean }; Returns: Json
                           },
"search_passages":
{ Args: { "coach_id": string,"how_many"?: number,"query": string,"query_vector"?: string,"said"?: (string)[] }; Returns: {
              "content": string,"dated_at": string,"file_id": string,"filename": string,"heading": string,"page": number,"passage_id": number,"position": number,"reading": Json,"score": number,"source_url": string
            }[]
                           },
"search_threads":
{ Args: { "caller": Json,"filter": Json,"user_id": string }; Returns: Json
                           },
"send_answer":
{ Args: { "askings": (string)[],"caller": Json,"coach_id": string,"question_id": string,"request_id": string,"user_id": string }; Returns: Json
                           },
"set_budget":
{ Args: { "account_id": string,"amount": number,"anonymous_amount"?: number,"api_key"?: string,"coach"?: string,"each_user"?: boolean,"mode"?: string,"period": string,"soft_percent"?: number,"unit": string }; Returns: Json
                           },
"set_expert_role":
{ Args: { "caller": Json,"coach_id": string,"expert_id": string,"role"?: string,"user_id": string }; Returns: Json
                           },
"set_passage_barred":
{ Args: { "caller": Json,"coach_id": string,"is_barred": boolean,"passage_id": string,"user_id": string }; Returns: Json
                           },
"set_picture":
{ Args: { "caller": Json,"coach_id": string,"digest"?: string,"extension"?: string,"pictures_url": string,"user_id": string }; Returns: Json
                           },
"set_retention":
{ Args: { "account_id": string,"days"?: number }; Returns: Json
                           },
"set_token_issuer":
{ Args: { "account_id": string,"audience": string,"issuer": string,"jwks_url": string,"name": string }; Returns: Json
                           },
"set_webhook":
{ Args: { "account_id": string,"is_rotated"?: boolean,"url": string }; Returns: Json
                           },
"settle_contradiction":
{ Args: { "caller": Json,"coach_id": string,"contradiction_id": string,"counts": string,"ends_file"?: boolean,"user_id": string }; Returns: Json
                           },
"settle_work":
{ Args: { "settlement": Json }; Returns: undefined
                           },
"start_test_run":
{ Args: { "caller": Json,"coach_id": string,"is_draft"?: boolean,"judge": boolean,"tests": (string)[],"user_id": string }; Returns: Json
                           },
"stop_turn":
{ Args: { "caller": Json,"is_forced": boolean,"message_id": string,"run_id"?: string,"user_id": string }; Returns: Json
                           },
"store_passages":
{ Args: { "file_id": string,"from_position": number,"passages": Json }; Returns: number
                           },
"summarize_test_runs":
{ Args: { "coach": string,"run"?: string }; Returns: Json
                           },
"take_comparison":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"take_fetching":
{ Args: { "is_alone": boolean,"slow_ids"?: (string)[] }; Returns: Json
                           },
"take_indexing_work":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"take_mails":
{ Args: { "most": number }; Returns: Json
                           },
"take_over":
{ Args: { "caller": Json,"thread_id": string,"user_id": string }; Returns: Json
                           },
"take_question":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"take_test":
{ Args: { "asked"?: Json,"claim"?: string,"query_vector"?: string }; Returns: Json
                           },
"take_topics":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"take_waiting_turn":
{ Args: { "asked"?: Json,"history_characters"?: number,"message_id"?: string,"plan"?: Json,"query_vector"?: string,"run_id": string }; Returns: Json
                           },
"take_webhook_messages":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"tell_typing":
{ Args: { "caller": Json,"thread_id": string,"user_id": string }; Returns: Json
                           },
"test_webhook":
{ Args: { "account_id": string }; Returns: Json
                           },
"try_question":
{ Args: { "asked"?: Json,"caller": Json,"coach_id": string,"is_draft"?: boolean,"query_vector": string,"question": string,"said"?: (string)[],"user_id": string }; Returns: Json
                           },
"unindex_passages":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"unsubscribe_mail":
{ Args: { "kind": string,"subscription_id": string }; Returns: undefined
                           },
"update_conversation":
{ Args: { "caller": Json,"changes"?: Json,"coach_id": string,"thread_id": string,"user_id": string }; Returns: Json
                           },
"update_file":
{ Args: { "caller": Json,"change": Json,"coach_id": string,"content_type"?: string,"file_id": string,"user_id": string }; Returns: Json
                           },
"update_pinned_answer":
{ Args: { "answer"?: string,"answer_id": string,"caller": Json,"coach_id": string,"is_active"?: boolean,"question"?: Json,"user_id": string,"variants"?: Json }; Returns: Json
                           },
"update_thread":
{ Args: { "caller": Json,"is_archived"?: boolean,"is_pinned"?: boolean,"thread_id": string,"title"?: string,"user_id"?: string }; Returns: Json
                           },
"usual_scopes":
{ Args: Record<PropertyKey, never>; Returns: (string)[]
                           },
"watch_coach":
{ Args: { "after"?: number,"caller": Json,"coach_id": string,"user_id"?: string }; Returns: Json
                           },
"watch_thread":
{ Args: { "after"?: number,"caller": Json,"thread_id": string,"user_id"?: string }; Returns: Json
                           },
"withdraw_request":
{ Args: { "caller": Json,"request_id": string,"thread_id": string,"user_id": string }; Returns: Json
                           },
"word_question":
{ Args: { "claim": string,"question_id": string,"sentence": Json }; Returns: boolean
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
