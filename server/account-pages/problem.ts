import type { Page } from '../page.ts';
import type { Html } from './html.ts';
import { accountPage } from './layout.ts';

/** What cannot be done, and the way out. */
export const problemPage = (
  organization: string,
  problem: { title: string; status: number; body: Html; headers?: Readonly<Record<string, string>> },
): Page => accountPage({ organization, ...problem });
