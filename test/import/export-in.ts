import { type ImportSource, mattermostExport, slackExport, zulipExport } from '../../lib/index.ts';

/** The export in a file. Its ending names the chat. */
export function exportIn(file: string): ImportSource {
  if (file.endsWith('.zip')) return slackExport(file);
  return file.endsWith('.jsonl') ? mattermostExport(file) : zulipExport(file);
}
