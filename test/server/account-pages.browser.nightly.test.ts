import { accountPages, DARK } from './account-pages.ts';

accountPages(DARK);
