import { killImports } from './users-import.ts';

killImports(1_500);
