/** A report of a message. It stays when the message or an account goes. */
export interface Report {
  id: number;
  message_id: number;
  /** Sender of the message. */
  sender_id: number;
  reporter_id: number;
  report_type: string;
  description: string;
  /** Text of the message when it was reported. */
  content: string;
  timestamp: number;
  /** null while the report is open, like the next two. */
  resolved_timestamp: number | null;
  /** null also for `chat.system()`. */
  resolver_id: number | null;
  outcome: string | null;
}

type NewReport = Omit<Report, 'id' | 'resolved_timestamp' | 'resolver_id' | 'outcome'>;

interface ReportSelection {
  isOpen: boolean;
  /** Only reports with lower IDs. */
  beforeId: number;
  /** Without reports of messages of this user and their bots. */
  exceptSender: number;
  limit: number;
}

export interface ReportStore {
  /** The newest first. */
  list(selection: ReportSelection): Promise<Report[]>;
  byId(id: number): Promise<Report | undefined>;
  /** Whether the user has an open report of the message. */
  hasOpen(reporterId: number, messageId: number): Promise<boolean>;
  /** Number of reports of the user since the time, at most `limit`. */
  countSince(reporterId: number, timestamp: number, limit: number): Promise<number>;
  create(report: NewReport): Promise<number>;
  /** False if the report is not open. */
  resolve(id: number, outcome: Pick<Report, 'resolved_timestamp' | 'resolver_id' | 'outcome'>): Promise<boolean>;
}
