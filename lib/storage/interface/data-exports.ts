/** An export that an administrator has made over the API. */
export interface DataExport {
  id: number;
  acting_user_id: number;
  /** 1: public data. 2: also private data of users who allow it. */
  export_type: number;
  created_ms: number;
  /** Key of the ZIP file in the file store, complete or not. null before the first byte, and after the removal. */
  file_key: string | null;
  /** Bytes. 0 before the end. */
  size: number;
  /** Times of the end: success or failure, and deletion of the file. */
  finished_ms: number | null;
  failed_ms: number | null;
  deleted_ms: number | null;
}

export interface DataExportStore {
  create(given: Pick<DataExport, 'acting_user_id' | 'export_type' | 'created_ms'>): Promise<number>;
  /** The newest first. */
  list(limit: number): Promise<DataExport[]>;
  byId(id: number): Promise<DataExport | undefined>;
  /** A complete one. */
  byFileKey(key: string): Promise<DataExport | undefined>;
  /** Number of exports since a time, also of failed and removed ones. */
  countSince(ms: number): Promise<number>;
  /** Notes where the file will be. */
  begin(id: number, fileKey: string): Promise<void>;
  /** False if it has ended already, or if it must begin again with another file. */
  finish(id: number, file: { fileKey: string; size: number }, nowMs: number): Promise<boolean>;
  /** The same. */
  fail(id: number, fileKey: string, nowMs: number): Promise<boolean>;
  /** Forgets the file. */
  remove(id: number, nowMs: number): Promise<void>;
  /** Those that have a file, complete or not. */
  withFile(): Promise<DataExport[]>;
  /** Forgets the files of all complete exports, which are deleted. */
  removeComplete(nowMs: number): Promise<void>;
  /** Forgets the files of exports that run. They begin again. */
  restart(): Promise<void>;
}
