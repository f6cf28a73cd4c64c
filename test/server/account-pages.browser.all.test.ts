import { accountPages, WITHOUT_SCRIPTS } from './account-pages.ts';

accountPages(WITHOUT_SCRIPTS);
