import type { Case } from './case.ts';
import { CHANNELS_CASES } from './channels.ts';
import { CODE_CASES } from './code.ts';
import { EMOJI_CASES } from './emoji.ts';
import { EMPHASIS_CASES } from './emphasis.ts';
import { FORMULAS_CASES } from './formulas.ts';
import { LINKIFIERS_CASES } from './linkifiers.ts';
import { LINKS_CASES } from './links.ts';
import { LISTS_CASES } from './lists.ts';
import { MENTIONS_CASES } from './mentions.ts';
import { PARAGRAPHS_CASES } from './paragraphs.ts';
import { PREVIEWS_CASES } from './previews.ts';
import { QUOTES_CASES } from './quotes.ts';
import { TABLES_CASES } from './tables.ts';
import { TIMES_CASES } from './times.ts';

export const ALL_CASES: Readonly<Record<string, readonly Case[]>> = {
  paragraphs: PARAGRAPHS_CASES,
  emphasis: EMPHASIS_CASES,
  code: CODE_CASES,
  quotes: QUOTES_CASES,
  lists: LISTS_CASES,
  tables: TABLES_CASES,
  links: LINKS_CASES,
  mentions: MENTIONS_CASES,
  channels: CHANNELS_CASES,
  emoji: EMOJI_CASES,
  times: TIMES_CASES,
  formulas: FORMULAS_CASES,
  linkifiers: LINKIFIERS_CASES,
  previews: PREVIEWS_CASES,
};
