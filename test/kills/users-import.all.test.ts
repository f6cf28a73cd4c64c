import { killImports } from './users-import.ts';

killImports(3_000);
