/** A message as a tree of blocks; `text` is Markdown that is still to be read for what stands within lines. */
export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'heading'; level: number; text: string }
  | { type: 'rule' }
  | { type: 'code'; text: string; language: string | undefined }
  | { type: 'formula'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'spoiler'; header: Block[]; blocks: Block[] }
  | { type: 'list'; start: number | undefined; items: ListItem[] }
  | { type: 'table'; header: Cell[]; rows: Cell[][] };

export interface ListItem {
  /** Between empty lines: its text stands in paragraphs. */
  isLoose: boolean;
  blocks: Block[];
}

export interface Cell {
  text: string;
  align: string | undefined;
}
