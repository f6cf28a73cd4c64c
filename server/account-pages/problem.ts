import type { Page } from '../page.ts';
import type { Html } from './html.ts';
import { accountPage } from './layout.ts';

/** A page for an error, with advice. */
export const problemPage = (
  organization: string,
  problem: { title: string; status: number; body: Html; headers?: Readonly<Record<string, string>> },
): Page => accountPage({ organization, ...problem });
