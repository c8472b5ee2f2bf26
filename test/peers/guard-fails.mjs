// Loaded before the program: the second process of a run with --guard ends at once.
if (process.argv[2] === 'guard') process.exit(9);
